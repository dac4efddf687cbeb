/** The folder in which each process of a test run writes down the statements it sent; nothing is collected without it. */
export const STATEMENTS_FOLDER_VARIABLE = 'PROOFDESK_TEST_STATEMENTS'
/** Set while docs/sql is written, when it need not be right. */
export const WRITING_VARIABLE = 'PROOFDESK_TEST_WRITES_SQL'
