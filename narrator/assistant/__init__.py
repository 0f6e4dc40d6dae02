"""A fair table for a chat: tools, resources and prompts over MCP, in which rolls stand and costs are chosen."""
