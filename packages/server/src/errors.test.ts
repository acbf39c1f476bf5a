import { expect, test } from 'vitest'
import { AppError, asAppError } from './errors.ts'
import { AdapterError } from './infra/adapter-error.ts'

test('what an adapter rejects with gets a code and keeps its sentence and its cause', () => {
  const cause = new Error('connect ECONNREFUSED')
  const told = asAppError(new AdapterError('mail-server-unavailable', 'The mail server is away', { cause }))
  expect(told).toMatchObject({ code: 'MAIL_UNAVAILABLE', status: 503, message: 'The mail server is away', cause })
})

test('what a feature throws stays what it is, and what nobody expected is not told', () => {
  const error = new AppError('CONFLICT', 'Wait')
  expect(asAppError(error)).toBe(error)
  expect(asAppError(new Error('secret'))).toBeUndefined()
})

test('a reason, which may name addresses of the machine, is for the log alone', () => {
  const error = new AdapterError('database-server-unavailable', 'Try again', {
    reason: 'connect ECONNREFUSED 127.0.0.1'
  })
  expect(error.message).toBe('Try again: connect ECONNREFUSED 127.0.0.1')
  expect(asAppError(error)).toMatchObject({ message: 'Try again', cause: error })
})
