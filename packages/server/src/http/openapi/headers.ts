/** Response headers. A route lists its own in `answerHeaders`; Retry-After follows from the errors. */
export const answerHeaders = {
  'X-Total-Count': { description: 'Total number on all pages.', schema: { type: 'integer' }, example: 42 },
  Link: {
    description: 'URLs of the next and the previous page (RFC 8288), if there are any.',
    schema: { type: 'string' },
    example: '</api/domains?page=2>; rel="next"'
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt, if known.',
    schema: { type: 'integer' },
    example: 5
  },
  'Set-Cookie': {
    description:
      'The session: HttpOnly, SameSite=Lax, and over HTTPS Secure with the prefix `__Host-`. Removed when you sign out. Any request of a ' +
      'session can renew it.',
    schema: { type: 'string' },
    example: 'panel_session=2kqzS0hJ…; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800'
  },
  'Content-Disposition': {
    description: 'The file name (RFC 6266).',
    schema: { type: 'string' },
    example: 'attachment; filename="site.tar.gz"'
  },
  'Accept-Ranges': { description: 'Range requests are supported.', schema: { type: 'string' }, example: 'bytes' },
  'Content-Range': {
    description: 'The range, with 206; the total length, with 416.',
    schema: { type: 'string' },
    example: 'bytes 0-1023/4096'
  },
  ETag: { description: 'Identifies this version of the file.', schema: { type: 'string' }, example: '"1f-18c2"' },
  'Last-Modified': {
    description: 'When the file was last modified.',
    schema: { type: 'string' },
    example: 'Sat, 31 Jan 2026 12:00:00 GMT'
  }
} as const

export type AnswerHeader = keyof typeof answerHeaders
