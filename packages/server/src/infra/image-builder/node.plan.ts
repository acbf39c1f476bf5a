import { panelDirectory, sourceDirectory, type BuildPlan, type PlanInput, type Planner } from './build-plan.ts'
import { command, copy, dockerfile, env, expose, from, labels, user, workdir } from './dockerfile.render.ts'
import { nodeBuild, nodeManifests } from './node-install.ts'
import { needsDevDependencies, nodeStart } from './node-start.ts'
import { parsePackageJson, scriptOf } from './package-json.ts'

const defaultPort = 3000

export const nodePlanner: Planner = { reads: nodeManifests, plan }

function plan(input: PlanInput): BuildPlan {
  const text = input.text.get('package.json')
  const manifest = text === undefined ? undefined : parsePackageJson(text)
  const hasBuild = (input.buildCmd ?? scriptOf(manifest, 'build')) !== undefined
  const start = nodeStart(manifest, input.files, input.startCmd, hasBuild)
  const build = nodeBuild(input, !needsDevDependencies(start, manifest))
  const port = input.port ?? defaultPort
  return {
    description: [
      `Node.js${build.manager ? ` with ${build.manager.title}` : ''}`,
      ...(build.buildCommand === undefined ? [] : [input.buildCmd === undefined ? 'build script' : 'build command']),
      `starts ${start.title}`
    ].join(', '),
    notes: build.notes,
    dockerfile: `${panelDirectory}Dockerfile`,
    files: new Map([
      ...build.files,
      [
        `${panelDirectory}Dockerfile`,
        dockerfile(
          ...build.lines,
          '',
          from(build.baseStage),
          labels(input.labels),
          workdir('/app'),
          'ENV PATH=/app/node_modules/.bin:$PATH',
          env({ NODE_ENV: 'production', HOME: '/tmp', PORT: String(port) }),
          expose(port),
          user('1000:1000'),
          command(start.argv),
          // Last: all before it stays in the layer cache when the source changes.
          copy('/app/', '/app/', 'build')
        )
      ]
    ]),
    references: [],
    sourceDirectory,
    dependencyFiles: build.dependencyFiles,
    ignore: ['.git', '**/node_modules'],
    port,
    isLabelled: true,
    readOnlyRoot: true,
    filesAt: '/data'
  }
}
