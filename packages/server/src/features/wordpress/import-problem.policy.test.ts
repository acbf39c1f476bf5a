import { expect, test } from 'vitest'
import type { ErrorCode } from '@panel/contract/errors'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { isFinal, keptProblem, problemOf } from './import-problem.policy.ts'

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

test("an adapter's coded message is kept with its code", () => {
  const sentence = { code: 'DUMP_REFUSED', values: { answer: 'ERROR 1064' } } as const
  expect(keptProblem(new AdapterError('statements-refused', sentence))).toEqual({
    errorCode: 'WORDPRESS_IMPORT_FAILED',
    errorMessage: 'The dump was refused by the database server: ERROR 1064',
    errorSentences: [sentence]
  })
})

test('what is told can be stored, also as JSON', () => {
  const error = new AppError('ARCHIVE_INVALID', {
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
