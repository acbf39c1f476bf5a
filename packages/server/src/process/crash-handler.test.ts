import { expect, test } from 'vitest'
import { isScoped } from './crash-handler.ts'

const withCode = (values: object) => Object.assign(new Error('x'), values)

test.each<[string, unknown, boolean]>([
  ['a program that could not be started', withCode({ code: 'EMFILE', syscall: 'spawn knotc' }), true],
  ['a connection that was reset', withCode({ code: 'ECONNRESET', syscall: 'read' }), true],
  ['a pipe that was closed', withCode({ code: 'EPIPE', syscall: 'write' }), true],
  ['a full disk', withCode({ code: 'ENOSPC', syscall: 'write' }), true],
  ['a stream that ended early', withCode({ code: 'ERR_STREAM_PREMATURE_CLOSE' }), true],
  ['a header after the answer', withCode({ code: 'ERR_HTTP_HEADERS_SENT' }), true],
  ['a port that is taken', withCode({ code: 'EADDRINUSE', syscall: 'listen' }), false],
  ['a wrong argument', withCode({ code: 'ERR_INVALID_ARG_TYPE' }), false],
  ['a statement that the store refuses', withCode({ code: '23505' }), false],
  ['a defect', new TypeError('x is not a function'), false],
  ['no error at all', 'EMFILE', false]
])('%s: %s', (_, error, expected) => expect(isScoped(error)).toBe(expected))
