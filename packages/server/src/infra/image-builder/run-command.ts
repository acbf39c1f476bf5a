import { type PackageJson, scriptOf } from './package-json.ts'

/** A Dockerfile's line has an end: longer scripts are run by name. */
export const maxScriptLength = 8000

const maxScripts = 3

/** What may stand before a program: variables, whoever sets them, and whoever finds it. */
const before: readonly RegExp[] = [
  /^\w+=("[^"]*"|'[^']*'|[^\s"']*)\s+/,
  /^(exec|env|cross-env(-shell)?|npx|pnpx|bunx)\s+((--?[\w-]+)\s+)*/,
  /^(npm|pnpm|yarn|bun)\s+(exec|dlx|x)\s+(--?[\w-]*\s+)*/,
  /^(node\s+(--?[^\s]+\s+)*)?(\.\/)?node_modules\/([^\s/]+\/)*/
]

const byManager = /^(npm|pnpm|yarn|bun)\s+(?:--?[\w-]+\s+)*(run(?:-script)?\s+)?(?:--?[\w-]+\s+)*([\w:.-]+)(.*)$/s

/**
 * The program that a command leads to and its arguments: without variables and package managers before it, with the scripts followed that
 * it names, and of several commands the last, which is the one that stays. `PORT=1 npm run dev` is `next dev`, where that is "dev".
 */
export function programOf(command: string, manifest: PackageJson | undefined, scripts = maxScripts): string {
  const last = command.slice(0, maxScriptLength).split(/&&|;/).at(-1)!.trim()
  const plain = withoutBefore(last)
  const [, manager, run, name = '', rest = ''] = byManager.exec(plain) ?? []
  if (manager === undefined) return plain
  const script = scriptOf(manifest, name)
  const runsScripts = run !== undefined || manager !== 'npm' || name === 'start'
  if (script !== undefined && runsScripts && scripts > 0)
    return programOf(`${script} ${rest.trim().replace(/^--(\s+|$)/, '')}`.trim(), manifest, scripts - 1)
  // Where no script has the name, all but npm look for a program.
  return run === undefined && manager !== 'npm' ? withoutBefore(`${name}${rest}`) : plain
}

function withoutBefore(command: string): string {
  const found = before.find((pattern) => pattern.test(command))
  return found ? withoutBefore(command.replace(found, '')) : command
}
