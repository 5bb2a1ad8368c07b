/** Streams that are being written piece by piece and are no sessions yet. One that a start finds here is removed. */
export const migration0003 = `
CREATE TABLE hidden_streams (
  session_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`;
