/*
 * choice.c - chooses between flat output (flat.h) and libpg_query's parts.
 *
 * Included by src/sys/deparse.c.
 */

/* Writes a statement as flat output. Returns false if it must be written as parts. */
static bool
write_flat(StringInfo str, RawStmt *stmt, PostgresDeparseOpts *opts)
{
	DeparseState state;

	pgq_clear(&state, sizeof(state));
	state.opts = opts;
	state.buffer = str;
	state.borrowed = true;
	take_room(&state);
	state.at = state.part = state.keyword_end = state.start;
	deparseStmt(&state, stmt->stmt);
	end_part(&state);
	if (state.at > state.start && state.at[-1] == ' ')
		state.at--;
	*state.at = '\0';
	str->len = state.at - state.start;
	return !state.unusual;
}

/* Writes a statement to the caller's buffer `str`, or to the current context if the buffer is too small. */
void
pgq_write_statement(StringInfo str, struct RawStmt *stmt, PostgresDeparseOpts *opts)
{
	bool		plain = !opts->pretty_print && opts->comment_count == 0 && !opts->commas_start_of_line;

	if (plain && stmt->stmt != NULL && write_flat(str, stmt, opts))
		return;
	initStringInfo(str);
	deparseRawStmtOpts(str, stmt, opts);
}
