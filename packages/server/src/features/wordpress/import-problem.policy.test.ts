import { expect, test } from 'vitest'
import type { ErrorCode } from '@panel/contract/errors'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { ImportError, isFinal, keptProblem, problemOf } from './import-problem.policy.ts'

test('what an import failed with comes back as it was', () => {
  const error = new AppError('ARCHIVE_INVALID', 'Two lines:\nof text')
  expect(problemOf(keptProblem(error))).toMatchObject({ code: error.code, message: error.message })
})

test('what an adapter failed with is kept as the API says it', () => {
  const error = new AdapterError('statements-refused', 'Line 3 is none')
  expect(keptProblem(error)).toEqual({
    errorCode: 'WORDPRESS_IMPORT_FAILED',
    errorMessage: 'Line 3 is none',
    errorSentences: []
  })
  expect(isFinal(error)).toBe(true)
  expect(isFinal(new AdapterError('database-server-unavailable', 'The server is away'))).toBe(false)
})

test.each([
  ['The dump was refused by the database server: ERROR 1064', 'DUMP_REFUSED', { answer: 'ERROR 1064' }],
  ['The archive has more than 5 bytes unpacked.', 'ARCHIVE_TOO_LARGE', { bytes: '5' }],
  ['The archive cannot be unpacked: a file has no name.', 'ARCHIVE_UNREADABLE', { problem: 'a file has no name' }],
  ['The database server does not let us in; try again later', 'DATABASE_SERVER_CLOSED', undefined]
])('what an adapter says has its code: %s', (sentence, code, values) => {
  const { errorMessage, errorSentences } = keptProblem(new AdapterError('statements-refused', sentence))
  expect(errorSentences).toEqual([{ code, values }])
  expect(errorMessage).toBe(sentence)
  // As it comes over the socket of the worker.
  expect(keptProblem(new AppError('WORDPRESS_IMPORT_FAILED', sentence)).errorSentences).toEqual([{ code, values }])
})

test('what is told can be stored, also as JSON', () => {
  const error = new ImportError('ARCHIVE_INVALID', {
    code: 'DUMP_STATEMENT',
    values: { statement: 'a\0\ud800', line: 3 }
  })
  const { errorSentences } = keptProblem(error)
  expect(errorSentences).toEqual([{ code: 'DUMP_STATEMENT', values: { statement: 'a\ufffd', line: 3 } }])
})

test('a message can be stored', () => {
  expect(keptProblem(new AppError('ARCHIVE_INVALID', 'a\0b'))).toMatchObject({ errorMessage: 'ab' })
})

test('what is not meant for the caller is not told', () => {
  expect(problemOf(keptProblem(new Error('secret')))).toMatchObject({
    code: 'WORDPRESS_IMPORT_FAILED',
    message: expect.not.stringContaining('secret')
  })
})

test('a failure without a reason is one', () => {
  expect(problemOf({ errorCode: null, errorMessage: null })).toMatchObject({ code: 'WORDPRESS_IMPORT_FAILED' })
})

test.each<[ErrorCode, boolean]>([
  ['NOT_FOUND', true],
  ['CONFLICT', true],
  ['DATABASE_VARIABLES_EXIST', true],
  ['WORDPRESS_IMPORT_FAILED', true],
  ['DATABASE_SERVER_UNAVAILABLE', false],
  ['FILES_UNAVAILABLE', false],
  ['DISK_FULL', false]
])('%s ends an import that has begun to swap: %s', (code, expected) => {
  expect(isFinal(new AppError(code, 'Text'))).toBe(expected)
})

test('a fault of ours may be gone with the next release', () => {
  expect(isFinal(new Error('fault'))).toBe(false)
})
