import { apacheSite, ensureApache, notFoundPage } from './apache-site.render.ts'
import { panelDirectory, usualPhp, type BuildPlan, type PlanInput, type Planner } from './build-plan.ts'
import { command, copy, dockerfile, env, expose, from, labels, runShell, user } from './dockerfile.render.ts'
import type { SiteFiles } from './image-builder.ts'
import { parseSiteRules, skippedRules } from './site-rules.ts'

const defaultPort = 8080

/** The web server of a site whose files are the project's. */
export const filesPlanner = (files: SiteFiles): Planner => ({ reads: () => [], plan: (input) => plan(input, files) })

function plan(input: PlanInput, files: SiteFiles): BuildPlan {
  const port = input.port ?? defaultPort
  const base = usualPhp(input.images)
  const rules = parseSiteRules(files)
  return {
    description: 'a static site, the files of the project',
    detected: {},
    bases: [base],
    notes: skippedRules(rules),
    dockerfile: `${panelDirectory}Dockerfile`,
    files: new Map([
      [`${panelDirectory}apache.conf`, apacheSite(rules)],
      [`${panelDirectory}404.html`, notFoundPage],
      [
        `${panelDirectory}Dockerfile`,
        dockerfile(
          // Apache alone: PHP is not started.
          from(base.reference),
          labels(input.labels),
          runShell(ensureApache),
          env({ PORT: String(port), HOME: '/tmp' }),
          expose(port),
          user('33:33'),
          command(['apache2', '-f', '/etc/apache2/panel.conf', '-D', 'FOREGROUND']),
          copy(`${panelDirectory}404.html`, '/etc/apache2/panel/404.html'),
          copy(`${panelDirectory}apache.conf`, '/etc/apache2/panel.conf')
        )
      ]
    ]),
    references: [],
    sourceDirectory: '',
    dependencyFiles: new Set(),
    ignore: [],
    port,
    isLabelled: true,
    readOnlyRoot: true,
    filesAt: '/srv',
    servesFiles: true
  }
}
