import type { ProjectType } from '@panel/contract/projects'
import { label } from '../container-engine/labels.ts'
import { filesPlanner } from './files.plan.ts'
import { dockerfilePlanner } from './dockerfile.plan.ts'
import { imagePlanner } from './image.plan.ts'
import { nodePlanner } from './node.plan.ts'
import { phpFilesPlanner, phpPlanner } from './php.plan.ts'
import { pythonPlanner } from './python.plan.ts'
import { staticPlanner } from './static.plan.ts'
import { wordpressPlanner } from './wordpress.plan.ts'
import type { BaseImages, BuildPlan, Planner, PlanInput, Planners } from './build-plan.ts'
import { BuildError, type BuildSource } from './image-builder.ts'
import { parseProcfile, type Processes } from './procfile.ts'
import type { Mirrors } from './mirrors.render.ts'
import { findDockerContext, findProjectRoot, pathIn, treeIn } from './project-root.ts'
import type { SourceTree } from './source-tree.ts'

/** To add a project type, add a planner file and a line here. */
const planners: Planners = {
  NODEJS: nodePlanner,
  PYTHON: pythonPlanner,
  PHP: phpPlanner,
  STATIC: staticPlanner,
  WORDPRESS: wordpressPlanner,
  DOCKERFILE: dockerfilePlanner,
  IMAGE: imagePlanner
}

const maxManifestsLength = 16 * 1024 * 1024

const isHint = /\.(py|[cm]?[jt]s)$|^(angular\.json|Procfile)$|(^|\/)_(redirects|headers)$/

type PlanSource = Omit<BuildSource, 'repository'> & Pick<PlanInput, 'owner' | 'hasBuildKit' | 'pinnedImages'>

export async function planBuild(
  repository: SourceTree,
  source: PlanSource,
  images: BaseImages,
  labels: Readonly<Record<string, string>>,
  mirrors: Mirrors = {}
): Promise<BuildPlan> {
  const planner = plannerOf(source)
  const settingOf = (text: string | null | undefined) => text?.trim() || undefined
  const paths = {
    rootDirectory: settingOf(source.rootDirectory),
    dockerfilePath: settingOf(source.dockerfilePath),
    dockerContext: settingOf(source.dockerContext)
  }
  const { context, ...settings } =
    source.type === 'DOCKERFILE'
      ? findDockerContext(repository, paths)
      : await findProjectRoot(repository, paths.rootDirectory, { mayBeInWorkspace: source.type !== 'PHP' })
  const tree = treeIn(repository, context)
  const processes = await readProcesses(repository, source.type, paths.rootDirectory)
  const procfileStart = source.type === 'DOCKERFILE' ? processes?.web : undefined
  const plan = planner.plan({
    ...settings,
    files: tree.files,
    symlinks: tree.symlinks,
    text: await readManifests(tree, planner, settings),
    buildCmd: settingOf(source.buildCmd),
    startCmd: settingOf(source.startCmd),
    procfileStart,
    installCmd: settingOf(source.installCmd),
    outputDirectory: settingOf(source.outputDirectory),
    image: source.image?.reference,
    registryHosts: source.accountImages?.hosts,
    pinnedImages: source.pinnedImages,
    dockerTarget: settingOf(source.dockerTarget),
    buildArgs: source.buildArgs ?? undefined,
    port: source.port ?? undefined,
    runtimeVersion: source.runtimeVersion ?? undefined,
    today: new Date(),
    owner: source.owner,
    hasBuildKit: source.hasBuildKit,
    buildEnv: source.buildEnv,
    secretKeys: source.secretKeys,
    images,
    mirrors,
    labels,
    sharedLabels: Object.fromEntries(Object.entries(labels).filter(([name]) => name !== label.project))
  })
  return { ...plan, contextDirectory: context, ...(processes && { processes }) }
}

function plannerOf({ type, siteFiles }: PlanSource): Planner {
  if (siteFiles === undefined) return planners[type]
  return type === 'PHP' ? phpFilesPlanner(siteFiles.php ?? {}) : filesPlanner(siteFiles)
}

/** Sites of these types run one fixed program. */
const typesWithoutProcesses: readonly ProjectType[] = ['STATIC', 'WORDPRESS']

/** Undefined without any. Commands run in the image's working directory, which is the project's directory. */
async function readProcesses(
  repository: SourceTree,
  type: ProjectType,
  rootDirectory = ''
): Promise<Processes | undefined> {
  if (typesWithoutProcesses.includes(type)) return undefined
  const { web, ...workers } = parseProcfile(await repository.read(pathIn(rootDirectory, 'Procfile')))
  // The one of a PHP site is for another platform: Apache serves it.
  const processes: Processes = web === undefined || type === 'PHP' ? workers : { web, ...workers }
  return Object.keys(processes).length === 0 ? undefined : processes
}

async function readManifests(
  tree: SourceTree,
  planner: Planner,
  settings: Parameters<Planner['reads']>[2]
): Promise<ReadonlyMap<string, string>> {
  const requested = new Set<string>()
  const text = new Map<string, string>()
  let left = maxManifestsLength
  for (;;) {
    const paths = planner.reads(tree.files, text, settings).filter((path) => !requested.has(path))
    if (paths.length === 0) return text
    for (const path of paths) {
      requested.add(path)
      const content = await tree.read(path)
      // Source and config files are only hints: if one cannot be read, another may still tell.
      if (content === undefined && tree.files.has(path) && !isHint.test(path))
        throw new BuildError({ code: 'FILE_TOO_LARGE_TO_READ', values: { path } })
      left -= content?.length ?? 0
      if (left < 0) throw new BuildError({ code: 'MANIFESTS_TOO_LARGE' })
      if (content !== undefined) text.set(path, content.replace(/^\uFEFF/, ''))
    }
  }
}
