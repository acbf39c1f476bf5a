import type { DetectedCommand } from '@panel/contract/detection'
import type { PlanInput } from './build-plan.ts'
import { type Framework, frameworkOf, hasServerLibrary } from './frameworks.ts'
import type { PackageManager } from './node-package-manager.ts'
import { type PackageJson, parsePackageJson, scriptOf } from './package-json.ts'

/** What a repository of Node.js says of itself. */
export interface DetectedNode {
  manifest: PackageJson | undefined
  framework: Framework | undefined
  /** Whether a server of its own may be among its files, whatever else it builds. */
  hasServerLibrary: boolean
}

/** Pure; throws BuildError where package.json cannot be read. */
export function detectNode(input: Pick<PlanInput, 'text' | 'buildCmd'>): DetectedNode {
  const text = input.text.get('package.json')
  const manifest = text === undefined ? undefined : parsePackageJson(text)
  const project = { manifest, build: input.buildCmd ?? scriptOf(manifest, 'build'), text: input.text }
  return { manifest, framework: frameworkOf(project), hasServerLibrary: hasServerLibrary(project) }
}

/**
 * The project's build command, a script of package.json, or the framework's own build; the last only where what it leaves is used, since
 * a project may have a framework's tools for other ends.
 */
export function buildCommandOf(
  input: Pick<PlanInput, 'buildCmd'>,
  node: DetectedNode,
  manager: PackageManager | undefined,
  use: { isSite: boolean; isFrameworkUsed: boolean }
): DetectedCommand | undefined {
  if (input.buildCmd !== undefined) return { command: input.buildCmd, source: 'SETTING' }
  const script = buildScript(node, use.isSite)
  if (script !== undefined && manager) return { command: manager.runScript(script).join(' '), source: 'PACKAGE_JSON' }
  if (use.isFrameworkUsed && node.framework?.build !== undefined)
    return { command: node.framework.build, source: 'FRAMEWORK' }
  return undefined
}

/** Whether anything builds it: its settings, a script, or its framework. */
export const isBuildable = (input: Pick<PlanInput, 'buildCmd'>, node: DetectedNode): boolean =>
  (input.buildCmd ?? buildScript(node, true) ?? node.framework?.build) !== undefined

function buildScript({ manifest, framework }: DetectedNode, isSite: boolean): string | undefined {
  const names = [...(isSite ? (framework?.siteScripts ?? []) : []), ...(framework?.buildScripts ?? ['build'])]
  return names.find((name) => scriptOf(manifest, name) !== undefined)
}

/** For the log. */
export const buildTitle = ({ command, source }: DetectedCommand): string =>
  ({ SETTING: 'build command', PACKAGE_JSON: 'build script' })[source as string] ?? command
