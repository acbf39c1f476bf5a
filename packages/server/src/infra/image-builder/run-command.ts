import { type PackageJson, scriptOf } from './package-json.ts'

export const maxScriptLength = 8000

const maxScripts = 3

const before: readonly RegExp[] = [
  /^\w+=("[^"]*"|'[^']*'|[^\s"']*)\s+/,
  /^(exec|env|cross-env(-shell)?|npx|pnpx|bunx)\s+((--?[\w-]+)\s+)*/,
  /^(npm|pnpm|yarn|bun)\s+(exec|dlx|x)\s+(--?[\w-]*\s+)*/,
  /^(node\s+(--?[^\s]+\s+)*)?(\.\/)?node_modules\/([^\s/]+\/)*/
]

const byManager = /^(npm|pnpm|yarn|bun)\s+(?:--?[\w-]+\s+)*(run(?:-script)?\s+)?(?:--?[\w-]+\s+)*([\w:.-]+)(.*)$/s

/** Follows scripts and wrappers: `PORT=1 npm run dev` gives `next dev` if that is the "dev" script. */
export function programOf(command: string, manifest: PackageJson | undefined, scripts = maxScripts): string {
  const last = command.slice(0, maxScriptLength).split(/&&|;/).at(-1)!.trim()
  const plain = withoutBefore(last)
  const [, manager, run, name = '', rest = ''] = byManager.exec(plain) ?? []
  if (manager === undefined) return plain
  const script = scriptOf(manifest, name)
  const runsScripts = run !== undefined || manager !== 'npm' || name === 'start'
  if (script !== undefined && runsScripts && scripts > 0)
    return programOf(`${script} ${rest.trim().replace(/^--(\s+|$)/, '')}`.trim(), manifest, scripts - 1)
  // Except for npm, an unknown script name is looked up as a program.
  return run === undefined && manager !== 'npm' ? withoutBefore(`${name}${rest}`) : plain
}

function withoutBefore(command: string): string {
  const found = before.find((pattern) => pattern.test(command))
  return found ? withoutBefore(command.replace(found, '')) : command
}
