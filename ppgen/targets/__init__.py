"""The set for other places than paper at home: pictures, virtual tables, print shops, cutting machines."""
