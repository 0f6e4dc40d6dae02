"""Tools over MCP that let a chat play by the rules: rolls stand, and costs must be chosen."""
