"""Read a mail: headers, text, quoted text, automatic replies, bounces and DMARC."""
