/** In this order: whom it reaches, what it is about, what it says. */
export const proseNames: readonly string[] = [
  'to',
  'recipients',
  'cc',
  'bcc',
  'channel',
  'subject',
  'title',
  'message',
  'text',
  'body',
  'content',
];
