enum PostgreSQLPlaceholder {}
