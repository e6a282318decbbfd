#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

// libpq names the fields of an error by character literals, which Swift does not import.
static const int PG_FIELD_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int PG_FIELD_SQLSTATE = PG_DIAG_SQLSTATE;
static const int PG_FIELD_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;
static const int PG_FIELD_HINT = PG_DIAG_MESSAGE_HINT;
static const int PG_FIELD_POSITION = PG_DIAG_STATEMENT_POSITION;
static const int PG_FIELD_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME;
static const int PG_FIELD_FUNCTION = PG_DIAG_SOURCE_FUNCTION;
