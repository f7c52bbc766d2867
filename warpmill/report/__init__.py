"""Parts that results share: their envelope and marks, pages, tables, charts."""
