import { randomInt } from 'node:crypto'

const lower = 'abcdefghijklmnopqrstuvwxyz0123456789'
// Without those that a person reads wrong: 0 and O, 1, l and I.
const legible = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

/** 20 characters, 116 random bits. */
export const newSftpPassword = (): string => draw(legible, 20)

/** Tells nothing of its user, and never comes twice: 82 random bits. */
export const newLinuxUsername = (): string => `vsftp_${draw(lower, 16)}`

const draw = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
