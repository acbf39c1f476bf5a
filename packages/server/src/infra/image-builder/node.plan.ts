import { failureTexts } from '@panel/contract/failure-texts'
import {
  homeDirectory,
  panelDirectory,
  sourceDirectory,
  type BuildPlan,
  type PlanInput,
  type Planner
} from './build-plan.ts'
import {
  command,
  copy,
  directoriesOf,
  dockerfile,
  env,
  expose,
  from,
  labels,
  user,
  workdir
} from './dockerfile.render.ts'
import { BuildError } from './image-builder.ts'
import { nodeBuild, programPath, toolsDirectory } from './node-install.ts'
import { buildTitle, detectNode, isBuildable, type DetectedNode } from './node-project.ts'
import { ownView, pathIn } from './project-root.ts'
import { commandText, needsDevDependencies, noStart, nodeStart, type NodeStart, programOfStart } from './node-start.ts'
import { scriptOf } from './package-json.ts'
import { builtSite, readsOfSite, siteOutputs, sitePlan } from './site.plan.ts'

const defaultPort = 3000

export const nodePlanner: Planner = { reads: readsOfSite, plan }

function plan(input: PlanInput): BuildPlan {
  const node = detectNode(input)
  const hasBuild = (input.buildCmd ?? scriptOf(node.manifest, 'build')) !== undefined
  const isSite = input.outputDirectory !== undefined
  const start = isSite ? undefined : nodeStart(ownView(input), node, hasBuild)
  if (start) return serverPlan(input, node, start)
  if (!isBuildable(input, node)) throw new BuildError({ code: noStart(node.manifest) })
  // Not the repository root: its index.html is source, not build output.
  const outputs = siteOutputs(input, node.framework).filter((directory) => directory !== '.')
  const site = builtSite(input, node, outputs, isSite ? '' : failureTexts[noStart(node.manifest)])
  if (isSite) return sitePlan(input, input.port ?? defaultPort, site)
  const isExpected = node.framework?.site !== undefined
  return sitePlan(input, input.port ?? defaultPort, {
    ...site,
    notes: [...site.notes, { code: isExpected ? 'NOTHING_TO_RUN' : 'NO_WAY_TO_START' }]
  })
}

function serverPlan(input: PlanInput, node: DetectedNode, start: NodeStart): BuildPlan {
  const { framework, manifest } = node
  const { isFrameworkUsed } = start
  const mayPrune = !needsDevDependencies(start, manifest)
  const build = nodeBuild(input, node, { mayPrune, isSite: false, isFrameworkUsed })
  const { port = defaultPort, owner = 1000 } = input
  return {
    description: [
      `Node.js${build.manager ? ` with ${build.manager.title}` : ''}`,
      ...(framework ? [framework.name] : []),
      ...(build.build === undefined ? [] : [buildTitle(build.build)]),
      `starts ${start.title}`
    ].join(', '),
    detected: {
      runtime: build.runtime,
      framework: framework?.name,
      packageManager: build.manager?.title,
      build: build.build,
      start: { command: commandText(start), source: start.source }
    },
    bases: [build.base],
    compiles: build.compiles,
    notes: [...build.notes, ...(isFrameworkUsed && framework?.note !== undefined ? [{ code: framework.note }] : [])],
    dockerfile: `${panelDirectory}Dockerfile`,
    files: new Map([
      ...build.files,
      [
        `${panelDirectory}Dockerfile`,
        dockerfile(
          ...build.lines,
          '',
          from(build.base.reference),
          labels(input.labels),
          directoriesOf(owner, '/app', homeDirectory),
          workdir(pathIn('/app', input.app)),
          ...build.toolLines,
          `ENV PATH=${programPath(input)}:${build.toolLines.length === 0 ? '' : `${toolsDirectory}/bin:`}$PATH`,
          env({ NODE_ENV: 'production', HOME: homeDirectory, PORT: String(port), ...framework?.startEnv }),
          expose(port),
          user(`${owner}:${owner}`),
          command(programOfStart(start)),
          // Last, so that everything before stays in the layer cache when the source changes.
          copy('/app/', '/app/', 'build', owner)
        )
      ]
    ]),
    references: [],
    secrets: build.secrets,
    sourceDirectory,
    dependencyFiles: build.dependencyFiles,
    ignore: ['.git', '**/node_modules'],
    port,
    isLabelled: true,
    readOnlyRoot: false,
    home: homeDirectory,
    filesAt: '/data'
  }
}
