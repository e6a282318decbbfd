enum SchemaPlaceholder {}
