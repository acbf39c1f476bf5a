import { parse } from 'dotenv'
import { EnvKey, EnvValue } from '@panel/contract/env-vars'

/** Entries of a raw .env text, read by dotenv; `problems` names the keys or values that the API would refuse. */
export function parseEnvFile(content: string): {
  entries: { key: string; value: string }[]
  problems: { path: string; message: string }[]
} {
  const entries = Object.entries(parse(content)).map(([key, value]) => ({ key, value }))
  const problems = entries.flatMap(({ key, value }) => {
    const issue = EnvKey.safeParse(key).error?.issues[0] ?? EnvValue.safeParse(value).error?.issues[0]
    return issue ? [{ path: `content.${key}`, message: issue.message }] : []
  })
  return { entries, problems }
}
