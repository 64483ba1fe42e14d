/** Raised with every change that can change a text or an offset. */
export const PARSER_VERSION = 'yunsou-reader/4';
