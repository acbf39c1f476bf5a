import type { DetectedCommand } from '@panel/contract/detection'
import type { PlanInput } from './build-plan.ts'
import { type Framework, frameworkOf, hasServerLibrary } from './frameworks.ts'
import type { PackageManager } from './node-package-manager.ts'
import { ownView } from './project-root.ts'
import { type PackageJson, parsePackageJson, scriptOf } from './package-json.ts'

export interface DetectedNode {
  manifest: PackageJson | undefined
  framework: Framework | undefined
  hasServerLibrary: boolean
}

/** Pure. Throws BuildError when package.json is invalid. */
export function detectNode(whole: Pick<PlanInput, 'files' | 'text' | 'app' | 'buildCmd'>): DetectedNode {
  const input = ownView(whole)
  const text = input.text.get('package.json')
  const manifest = text === undefined ? undefined : parsePackageJson(text)
  const project = { manifest, build: input.buildCmd ?? scriptOf(manifest, 'build'), text: input.text }
  return { manifest, framework: frameworkOf(project), hasServerLibrary: hasServerLibrary(project) }
}

/** The framework's build only if its output is used: a project may use its tools for other purposes. */
export function buildCommandOf(
  input: Pick<PlanInput, 'app' | 'buildCmd' | 'text'>,
  node: DetectedNode,
  manager: PackageManager | undefined,
  use: { isSite: boolean; isFrameworkUsed: boolean }
): DetectedCommand | undefined {
  if (input.buildCmd !== undefined) return { command: input.buildCmd, source: 'SETTING' }
  const script = buildScript(node, use.isSite)
  if (script !== undefined && usesTurborepo(input)) {
    // Builds first what the project needs of the workspace.
    return { command: `turbo run ${script} --filter=./${input.app}`, source: 'TURBOREPO' }
  }
  if (script !== undefined && manager) return { command: manager.runScript(script).join(' '), source: 'PACKAGE_JSON' }
  if (use.isFrameworkUsed && node.framework?.build !== undefined)
    return { command: node.framework.build, source: 'FRAMEWORK' }
  return undefined
}

const usesTurborepo = ({ app, text }: Pick<PlanInput, 'app' | 'text'>): boolean => {
  if (app === '' || !text.has('turbo.json')) return false
  const { dependencies, devDependencies } = parsePackageJson(text.get('package.json') ?? '{}')
  return dependencies.has('turbo') || devDependencies.has('turbo')
}

export const isBuildable = (input: Pick<PlanInput, 'buildCmd'>, node: DetectedNode): boolean =>
  (input.buildCmd ?? buildScript(node, true) ?? node.framework?.build) !== undefined

function buildScript({ manifest, framework }: DetectedNode, isSite: boolean): string | undefined {
  const names = [...(isSite ? (framework?.siteScripts ?? []) : []), ...(framework?.buildScripts ?? ['build'])]
  return names.find((name) => scriptOf(manifest, name) !== undefined)
}

export const buildTitle = ({ command, source }: DetectedCommand): string =>
  ({ SETTING: 'build command', PACKAGE_JSON: 'build script' })[source as string] ?? command
