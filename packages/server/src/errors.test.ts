import { failureTexts } from '@panel/contract/failure-texts'
import { wordpressProblemTexts } from '@panel/contract/wordpress-texts'
import { expect, test } from 'vitest'
import { type ErrorCode, errorStatus } from '@panel/contract/errors'
import { remedyTexts } from '@panel/contract/remedy-texts'
import { AppError, asAppError, asStoreError, outageMessage } from './errors.ts'
import { AdapterError } from './infra/adapter-error.ts'
import { ProcessError } from './infra/process/process.ts'

test('an adapter error gets a code and keeps its sentence and cause', () => {
  const cause = new Error('connect ECONNREFUSED')
  const known = asAppError(new AdapterError('mail-server-unavailable', 'The mail server is away', { cause }))
  expect(known).toMatchObject({ code: 'MAIL_UNAVAILABLE', status: 503, message: 'The mail server is away', cause })
})

test('a feature’s error is unchanged, and an unexpected one is not exposed', () => {
  const error = new AppError('CONFLICT', 'Wait')
  expect(asAppError(error)).toBe(error)
  expect(asAppError(new Error('secret'))).toBeUndefined()
})

test('the codes of a message pass from adapter to response', () => {
  const sentence = { code: 'GIT_NO_BRANCH', values: { branch: 'main' } } as const
  expect(asAppError(new AdapterError('repository-unavailable', sentence))).toMatchObject({
    code: 'GIT_UNREACHABLE',
    sentences: [sentence]
  })
})

test('an unhandled refusal is a bug whose text is not shown', () => {
  expect(asAppError(new AdapterError('database-refused', 'password of panel_admin'))).toBeUndefined()
})

test('message codes are unique across tables', () => {
  expect(Object.keys(failureTexts).filter((code) => code in wordpressProblemTexts)).toEqual([])
})

test('a reason is shown in the log and to administrators only', () => {
  const error = new AdapterError('database-server-unavailable', 'Try again', {
    reason: 'connect ECONNREFUSED 127.0.0.1'
  })
  expect(error.message).toBe('Try again: connect ECONNREFUSED 127.0.0.1')
  expect(asAppError(error)).toMatchObject({
    message: 'Try again',
    cause: error,
    outage: { reason: 'connect ECONNREFUSED 127.0.0.1', remedy: 'RUN_UP_OR_ASK' }
  })
})

const outages = Object.keys(errorStatus).filter((code): code is ErrorCode => code.endsWith('_UNAVAILABLE'))

test.each(outages)('%s has its cause and a default remedy, which can be overridden', (code) => {
  const cause = new ProcessError('knotc failed', 'failed', 1, 'error: failed to connect\n(/run/knot.sock)\n')
  const outage = new AppError(code, 'It is away', { cause })
  expect(outage.outage).toEqual({
    reason: 'knotc failed: error: failed to connect (/run/knot.sock)',
    remedy: expect.any(String)
  })
  expect(outageMessage(outage)).toBe(
    `It is away. ${outage.outage!.reason}. ${remedyTexts[outage.outage!.remedy].replace(/[.;]$/, '')}`
  )
  expect(new AppError(code, 'It is off', { reason: 'why', remedy: 'TRY_AGAIN' }).outage).toEqual({
    reason: 'why',
    remedy: 'TRY_AGAIN'
  })
  expect(new AppError('CONFLICT', 'Wait', { cause }).outage).toBeUndefined()
})

test('an unavailable database is distinguished from a missing file', () => {
  const socket = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' })
  expect(asStoreError(socket)).toMatchObject({ code: 'STORE_UNAVAILABLE', status: 503, cause: socket })
  expect(asStoreError(Object.assign(new Error('open ENOENT'), { code: 'ENOENT', syscall: 'open' }))).toBeUndefined()
  expect(asStoreError(Object.assign(new Error('syntax'), { code: '08P01' }))).toBeUndefined()
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  expect(asStoreError(new AdapterError('node-unavailable', 'Unreachable', { cause: refused }))).toBeUndefined()
})
