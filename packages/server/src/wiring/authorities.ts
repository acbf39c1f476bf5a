import { readFile } from 'node:fs/promises'
import { messageOf } from '../text/message-of.ts'

export async function readAuthorities(variable: string, path: string): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`Could not read the file of ${variable}: ${messageOf(error)}`, { cause: error })
  })
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error(`The file of ${variable} contains no PEM certificate: ${path}`)
  return pem
}
