import { readFile } from 'node:fs/promises'
import { messageOf } from '../text/message-of.ts'

/** PEM of the authorities in the file that the variable names. */
export async function readAuthorities(variable: string, path: string): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${variable} cannot be read: ${messageOf(error)}`, { cause: error })
  })
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${variable} has no certificate in PEM: ${path}`)
  return pem
}
