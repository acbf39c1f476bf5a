import { randomInt } from 'node:crypto'

const lower = 'abcdefghijklmnopqrstuvwxyz0123456789'
// Without look-alikes: 0 and O; 1, l and I.
const legible = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

export const newSftpPassword = (): string => draw(legible, 20)

/** Reveals nothing about the user and is never reused: 82 bits of entropy. */
export const newLinuxUsername = (): string => `vsftp_${draw(lower, 16)}`

const draw = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
