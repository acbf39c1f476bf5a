import { randomBytes, randomInt } from 'node:crypto'
import { userCodeLength, userCodeLetters } from '@panel/contract/device-logins'

export const newDeviceCode = (): string => randomBytes(32).toString('base64url')

/** 34 bits: enough for ten minutes in which few guesses are allowed. */
export const newUserCode = (): string =>
  Array.from({ length: userCodeLength }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join('')

export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`
