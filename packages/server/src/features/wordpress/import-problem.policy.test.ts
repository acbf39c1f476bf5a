import { expect, test } from 'vitest'
import type { ErrorCode } from '@panel/contract/errors'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { isFinal, storedProblem, problemOf } from './import-problem.policy.ts'

test('restores a stored error', () => {
  const error = new AppError('ARCHIVE_INVALID', 'Two lines:\nof text')
  expect(problemOf(storedProblem(error))).toMatchObject({ code: error.code, message: error.message })
})

test('stores an adapter error as the API reports it', () => {
  const error = new AdapterError('statements-refused', 'Line 3 is none')
  expect(storedProblem(error)).toEqual({
    errorCode: 'WORDPRESS_IMPORT_FAILED',
    errorMessage: 'Line 3 is none',
    errorSentences: []
  })
  expect(isFinal(error)).toBe(true)
  expect(isFinal(new AdapterError('database-server-unavailable', 'The server is away'))).toBe(false)
})

test("keeps the code of an adapter's message", () => {
  const sentence = { code: 'DUMP_REFUSED', values: { answer: 'ERROR 1064' } } as const
  expect(storedProblem(new AdapterError('statements-refused', sentence))).toEqual({
    errorCode: 'WORDPRESS_IMPORT_FAILED',
    errorMessage: 'The database server rejected the dump: ERROR 1064',
    errorSentences: [sentence]
  })
})

test('sanitizes values for JSON storage', () => {
  const error = new AppError('ARCHIVE_INVALID', {
    code: 'DUMP_STATEMENT',
    values: { statement: 'a\0\ud800', line: 3 }
  })
  const { errorSentences } = storedProblem(error)
  expect(errorSentences).toEqual([{ code: 'DUMP_STATEMENT', values: { statement: 'a\ufffd', line: 3 } }])
})

test('sanitizes the message for storage', () => {
  expect(storedProblem(new AppError('ARCHIVE_INVALID', 'a\0b'))).toMatchObject({ errorMessage: 'ab' })
})

test('hides internal errors', () => {
  expect(problemOf(storedProblem(new Error('secret')))).toMatchObject({
    code: 'WORDPRESS_IMPORT_FAILED',
    message: expect.not.stringContaining('secret')
  })
})

test('falls back to a generic message', () => {
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
])('%s is final after the commit point: %s', (code, expected) => {
  expect(isFinal(new AppError(code, 'Text'))).toBe(expected)
})

test('an internal error is not final: the next release may fix it', () => {
  expect(isFinal(new Error('fault'))).toBe(false)
})
