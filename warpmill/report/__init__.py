"""What results share: their envelope and marks, pages of text, tables, pictures."""
