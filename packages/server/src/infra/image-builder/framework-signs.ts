import type { PackageJson } from './package-json.ts'

export interface NodeProject {
  manifest: PackageJson | undefined
  build: string | undefined
  text: ReadonlyMap<string, string>
}

export type Test = (project: NodeProject) => boolean

export const on =
  (...names: readonly string[]): Test =>
  ({ manifest }) =>
    names.some((name) => manifest?.dependencies.has(name) || manifest?.devDependencies.has(name))
export const all =
  (...tests: readonly Test[]): Test =>
  (project) =>
    tests.every((test) => test(project))
export const not =
  (test: Test): Test =>
  (project) =>
    !test(project)
export const builtBy =
  (pattern: RegExp): Test =>
  ({ build = '' }) =>
    pattern.test(build.slice(0, maxCommandLength))
export const isWorkspace: Test = ({ manifest }) => manifest?.workspaces !== undefined

const maxCommandLength = 2000

const scripts = ['js', 'mjs', 'cjs', 'ts', 'mts']
export const configFiles = {
  next: ['js', 'mjs', 'ts', 'cjs'].map((extension) => `next.config.${extension}`),
  svelte: ['svelte.config.js', 'svelte.config.ts', 'svelte.config.mjs'],
  router: ['react-router.config.ts', 'react-router.config.js'],
  vite: scripts.map((extension) => `vite.config.${extension}`),
  angular: ['angular.json']
}

export const frameworkFiles: readonly string[] = Object.values(configFiles).flat()

export const configured =
  (files: readonly string[], pattern: RegExp): Test =>
  ({ text }) =>
    files.some((file) =>
      text
        .get(file)
        ?.split('\n')
        .some((line) => isSetting(line, pattern))
    )

const isSetting = (line: string, pattern: RegExp): boolean => {
  const start = line.slice(0, maxCommandLength).trimStart()
  return !start.startsWith('//') && !start.startsWith('*') && pattern.test(start)
}

const isSvelteKit = on('@sveltejs/kit')
const svelteSetting = (pattern: RegExp) => configured([...configFiles.svelte, ...configFiles.vite], pattern)
const namesSvelteAdapter = svelteSetting(/@sveltejs\/adapter-/)

/** Reads the adapter from the Svelte or Vite config; if neither names one, from the installed packages. */
export const svelteAdapter = (name: string): Test => {
  const named = svelteSetting(new RegExp(`@sveltejs/adapter-${name}['"]`))
  const installed = on(`@sveltejs/adapter-${name}`)
  return (project) => isSvelteKit(project) && (namesSvelteAdapter(project) ? named(project) : installed(project))
}

/** SvelteKit's official adapters for any platform. A third-party adapter may be installed beside one. */
export const anySvelteAdapter: Test = (project) => {
  const { dependencies, devDependencies } = project.manifest ?? {}
  const names = [...(dependencies?.keys() ?? []), ...(devDependencies?.keys() ?? [])]
  const isInstalled = names.some((name) => name.startsWith('@sveltejs/adapter-'))
  return isSvelteKit(project) && (namesSvelteAdapter(project) || (isInstalled && !svelteSetting(/adapter/)(project)))
}

export const withoutServer = /\bssr\b["']?[ \t]{0,20}:[ \t]{0,20}false\b/
export const output = (value: string) => new RegExp(`\\boutput["']?[ \\t]{0,20}:[ \\t]{0,20}["'\`]${value}["'\`]`)
