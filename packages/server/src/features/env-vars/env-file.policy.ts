import { parse } from 'dotenv'
import { EnvKey, EnvValue, maxImportedEnvVars } from '@panel/contract/env-vars'

/** Entries of a raw .env text, read by dotenv; `problems` names the keys or values that the API would refuse. */
export function parseEnvFile(content: string): {
  entries: { key: string; value: string }[]
  problems: { path: string; message: string }[]
} {
  // dotenv assigns to a plain object, which would lose this one key.
  let standIn = '_proto_'
  while (content.includes(standIn)) standIn += '_'
  const restored = (text: string) => text.replaceAll(standIn, '__proto__')
  const parsed = Object.entries(parse(content.replaceAll('__proto__', standIn)))
  const entries = parsed.map(([key, value]) => ({ key: restored(key), value: restored(value) }))
  if (entries.length > maxImportedEnvVars) {
    return {
      entries: [],
      problems: [{ path: 'content', message: `must have at most ${maxImportedEnvVars} variables` }]
    }
  }
  const problems = entries.flatMap(({ key, value }) => {
    const issue = EnvKey.safeParse(key).error?.issues[0] ?? EnvValue.safeParse(value).error?.issues[0]
    return issue ? [{ path: `content.${key}`, message: issue.message }] : []
  })
  return { entries, problems }
}
