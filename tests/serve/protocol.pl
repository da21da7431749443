# A client in another language, written from docs/protocol.md alone: it says hello, names options, sends a batch and
# a request that is wrong, in one write, and checks the answers. Its argument is a socket.
use strict;
use warnings;
no warnings 'portable'; # numbers of eight bytes
use IO::Socket::UNIX;

my $socket = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "no daemon: $!";

sub request {
    my ($id, $op, $flags, $handle, $body) = @_;
    return pack('V V C C v', 8 + length $body, $id, $op, $flags, $handle) . $body;
}

sub batch { return pack('V', scalar @_) . join '', map { pack('V', length) . $_ } @_ }

sub take {
    my ($length) = @_;
    my $bytes = '';
    while (length $bytes < $length) {
        sysread($socket, $bytes, $length - length $bytes, length $bytes) or die 'the connection ended';
    }
    return $bytes;
}

sub answer {
    my ($expected) = @_;
    my ($length, $id, $status, $flags, $code) = unpack 'V V C C v', take(12);
    die "answer $id and not $expected" if $id != $expected;
    return ($status, $flags, $code, take($length - 8));
}

my $options = '{"placeholders":"qmark"}';
my @texts = ('SELECT 1', 'SELECT (', 'SELECT ?');
print {$socket} "PGQ\x01" . request(1, 0, 0, 0, 'perl') . request(2, 1, 0, 0, $options);
$socket->flush;
my ($status, $flags, $code, $hello) = answer(1);
die "hello: $hello" unless $status == 0 && $hello =~ /"protocol":1/;
(undef, undef, undef, my $named) = answer(2);
my $handle = unpack 'v', $named;

print {$socket} request(3, 18, 1, $handle, batch(@texts)) . request(4, 99, 0, 0, '') . request(5, 16, 0, 0, 'SELECT 2');
$socket->flush;
my @items;
do {
    ($status, $flags, $code, my $body) = answer(3);
    die "batch: $status $flags" unless $status == 0 && $flags & 1;
    my $count = unpack 'V', $body;
    my $at = 4;
    for (1 .. $count) {
        my ($status, $flags, $code, $length) = unpack 'C C v V', substr $body, $at, 8;
        push @items, [$status, $flags, $code, substr $body, $at + 8, $length];
        $at += 8 + $length;
    }
    die 'the items do not fill their frame' if $at != length $body;
} while ($flags & 2);
die 'not three items' if @items != 3;
die 'fingerprint' if unpack('Q<', $items[0][3]) != 0x50fde20626009aba;
die 'normalized' if substr($items[0][3], 8) ne 'SELECT $1' || substr($items[2][3], 8) ne 'SELECT $1';
die 'no syntax error' if $items[1][0] != 1 || $items[1][2] != 1;
my ($offset, $line, $column, $fields) = unpack 'V V V a*', $items[1][3];
die "place $offset $line $column" if "$offset $line $column" ne '8 1 9';
my %fields = unpack '(a V/a)*', $fields;
die "fields" if $fields{M} !~ /^syntax error/ || $fields{C} ne '42601';
($status, undef, $code) = answer(4);
die "operation 99: $status $code" if $status != 1 || $code != 33;
($status, undef, undef, my $fingerprint) = answer(5);
die 'the fingerprint of SELECT 2' if $status != 0 || unpack('Q<', $fingerprint) != 0x50fde20626009aba;
print "a client in Perl understands the answers\n";
