/** Headers of answers that a client reads. A route names its own in `answerHeaders`; Retry-After follows from the errors. */
export const answerHeaders = {
  'X-Total-Count': { description: 'How many there are on all pages.', schema: { type: 'integer' }, example: 42 },
  Link: {
    description: 'The next and the previous page (RFC 8288); without either there is none.',
    schema: { type: 'string' },
    example: '</api/domains?page=2>; rel="next"'
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try, where that is known.',
    schema: { type: 'integer' },
    example: 5
  },
  'Set-Cookie': {
    description:
      'The session: HttpOnly, SameSite=Lax, and over HTTPS Secure with the prefix `__Host-`. Signing out removes it. Any operation of a ' +
      'session may set it anew, with more time.',
    schema: { type: 'string' },
    example: 'panel_session=2kqzS0hJ…; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800'
  },
  'Content-Disposition': {
    description: 'The name to save it under (RFC 6266).',
    schema: { type: 'string' },
    example: 'attachment; filename="site.tar.gz"'
  },
  'Accept-Ranges': { description: 'Parts can be asked for.', schema: { type: 'string' }, example: 'bytes' },
  'Content-Range': {
    description: 'Which part it is, with 206; how long the whole is, with 416.',
    schema: { type: 'string' },
    example: 'bytes 0-1023/4096'
  },
  ETag: { description: 'Of this state of the file.', schema: { type: 'string' }, example: '"1f-18c2"' },
  'Last-Modified': {
    description: 'When the file was written last.',
    schema: { type: 'string' },
    example: 'Sat, 31 Jan 2026 12:00:00 GMT'
  }
} as const

export type AnswerHeader = keyof typeof answerHeaders
