import { type EnvImportPreview, EnvKey, EnvValue, maxEnvVars } from '@panel/contract/env-vars'

export function importProblems(
  entries: readonly { key: string; value: string }[]
): { path: string; message: string }[] {
  if (entries.length > maxEnvVars) return [{ path: 'content', message: `must have at most ${maxEnvVars} variables` }]
  return entries.flatMap(({ key, value }) => {
    const issue = EnvKey.safeParse(key).error?.issues[0] ?? EnvValue.safeParse(value).error?.issues[0]
    return issue ? [{ path: `content.${key.slice(0, 100)}`, message: issue.message }] : []
  })
}

export function importPreview(
  entries: readonly { key: string; line: number }[],
  there: ReadonlySet<string>,
  overwrite: boolean
): EnvImportPreview {
  const reported = entries.map(({ key, line }) => ({ key, line }))
  const known = reported.filter(({ key }) => there.has(key))
  return {
    added: reported.filter(({ key }) => !there.has(key)),
    replaced: overwrite ? known : [],
    kept: overwrite ? [] : known
  }
}

/** Stored (sealed) sizes are close enough. */
export function projectTotalProblem(total: { count: number; bytes: number }): string | undefined {
  if (total.count > maxEnvVars)
    return `A project or group can have at most ${maxEnvVars} variables; this would be ${total.count}.`
  if (total.bytes <= maxTotalBytes) return undefined
  return `The variables of a project or group can hold at most ${maxTotalBytes / 1024} KiB in total. Put large values into files.`
}

export const maxTotalBytes = 1024 * 1024
