SELECT b'\', x'\'
