// The boundaries of docs/architecture.md, as rules. `npm run check` runs them.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const pure = '\\.(policy|machine|render)\\.ts$'

// The order of features/index.ts: a feature may import only from features before it.
const index = readFileSync(join(__dirname, 'packages/server/src/features/index.ts'), 'utf8')
const folders = Object.fromEntries(
  [...index.matchAll(/import \{ (\w+) \} from '\.\/([\w-]+)\//g)].map(([, name, folder]) => [name, folder])
)
const [, list] = /const modules = \[([^\]]*)\]/.exec(index)
const ordered = list.match(/\w+/g).map((name) => folders[name])

module.exports = {
  forbidden: [
    ...ordered.slice(0, -1).map((feature, at) => ({
      name: `${feature}-imports-earlier-features-only`,
      comment:
        'A feature imports only from features before it in features/index.ts, types included. Use a hook (features/feature.ts) for the rest.',
      severity: 'error',
      from: { path: `^packages/server/src/features/${feature}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^packages/server/src/features/(${ordered.slice(at + 1).join('|')})/` }
    })),
    {
      name: 'features-do-not-import-the-feature-list',
      comment: 'The list of features is passed in as deps.features.',
      severity: 'error',
      from: { path: '^packages/server/src/features/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/server/src/features/index\\.ts$' }
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }
    },
    {
      name: 'features-import-adapter-interfaces-only',
      comment:
        'Features import the interface of an adapter (infra/<role>/<role>.ts, with its errors); dependencies.ts creates the real one. Exceptions: x509 works in memory only, tree-verbs is a table that both ends of a socket share, and worker-thread holds both ends of our threads.',
      severity: 'error',
      from: { path: '^packages/server/src/features/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/server/src/infra/([^/]+)/',
        pathNot: [
          '^packages/server/src/infra/([^/]+)/\\1\\.ts$',
          '/(labels|tree-verbs)\\.ts$',
          '/infra/(x509|worker-thread)/'
        ],
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'infra-imports-no-feature',
      severity: 'error',
      from: { path: '^packages/server/src/infra/' },
      to: { path: '^packages/server/src/(features|http)/' }
    },
    {
      name: 'wiring-imports-the-feature-list-only',
      comment: 'Code that creates the dependencies imports only the list of features and the type of a module.',
      severity: 'error',
      from: {
        path: '^packages/server/src/((db|wiring)/|dependencies\\.ts$|process/paths\\.ts$)',
        pathNot: '\\.test\\.ts$'
      },
      to: { path: '^packages/server/src/features/', pathNot: '^packages/server/src/features/(index|feature)\\.ts$' }
    },
    {
      name: 'adapters-import-no-api-errors',
      comment: 'Adapters reject with AdapterError (infra/adapter-error.ts); errors.ts maps each kind to an API code.',
      severity: 'error',
      from: {
        path: '^packages/server/src/(infra|programs|db|config|wiring)/',
        // The row stores the error code of a failed import, which another process returns.
        pathNot: '^packages/server/src/db/schema/wordpress-imports\\.ts$'
      },
      to: { path: '^packages/server/src/(errors\\.ts$|http/)|^packages/contract/src/errors\\.ts$' }
    },
    {
      name: 'pure-files-do-no-io',
      severity: 'error',
      from: { path: pure },
      to: {
        dependencyTypesNot: ['type-only'],
        path: [
          '^(node:)?(fs|fs/promises|child_process|net|http|https|dns|worker_threads)$',
          '/(pg|fastify|dockerode|drizzle-orm)/',
          '\\.(repository|service)\\.ts$',
          'dependencies\\.ts$'
        ]
      }
    },
    {
      name: 'own-repository-only',
      comment: 'Other features use a service, or the \u2026-access.ts that exports what they may read.',
      severity: 'error',
      from: { path: '^packages/server/src/features/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '\\.repository\\.ts$', pathNot: '^packages/server/src/features/$1/' }
    },
    {
      name: 'routes-call-services',
      severity: 'error',
      from: { path: '\\.routes\\.ts$' },
      to: { path: '\\.repository\\.ts$' }
    },
    {
      name: 'sql-in-repositories',
      comment:
        'Only `<noun>.repository.ts` and db/ use Drizzle and the tables; types of rows may be imported anywhere.',
      severity: 'error',
      from: {
        path: '^packages/server/src/',
        pathNot: [
          '\\.repository\\.ts$',
          '^packages/server/src/db/',
          '\\.test\\.ts$',
          // Enqueues jobs in the caller's transaction, so it needs the connection that Drizzle holds.
          '^packages/server/src/infra/job-queue/pg-boss-queue\\.ts$'
        ]
      },
      to: {
        path: '/drizzle-orm/|^packages/server/src/db/schema/',
        // The error class, to keep bound values out of logs.
        pathNot: '/drizzle-orm/errors\\.',
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'features-do-no-io',
      comment:
        'Only infra/ uses files, sockets, processes and threads. A `.worker.ts` or `.mjs` is the script of such a thread.',
      severity: 'error',
      from: {
        path: '^packages/server/src/features/',
        pathNot: ['\\.test\\.ts$', '\\.worker\\.(ts|mjs)$']
      },
      to: {
        dependencyTypesNot: ['type-only'],
        path: '^(node:)?(fs|fs/promises|child_process|net|tls|dgram|http|https|http2|dns|dns/promises|worker_threads)$'
      }
    },
    {
      name: 'record-types-are-pure',
      comment: 'Data and pure functions of each DNS type, used by features and infra/public-dns.',
      severity: 'error',
      from: { path: '^packages/server/src/record-types/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/server/src/|^(node:)?(fs|net|dgram|dns|http|https|child_process)',
        pathNot: '^packages/server/src/(record-types/|net/hostname\\.ts$)'
      }
    },
    {
      name: 'http-imports-no-feature',
      comment: 'http/ reads cookies and headers; features resolve them to accounts (security/credentials.ts).',
      severity: 'error',
      from: { path: '^packages/server/src/http/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/server/src/features/', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'processes-in-one-place',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['^packages/server/src/(infra/process|cli)/', '\\.test\\.ts$'] },
      to: { path: '^(node:)?child_process$' }
    },
    {
      name: 'contract-is-pure',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: '^node:|^packages/server/' }
    },
    {
      name: 'clients-import-no-server-code',
      comment: 'They are published as packages of their own and run without a panel; the client also runs in browsers.',
      severity: 'error',
      from: { path: '^packages/(client|cli)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/(server|contract)/' }
    },
    {
      name: 'client-is-pure',
      severity: 'error',
      from: { path: '^packages/client/', pathNot: '\\.test\\.ts$' },
      to: { path: '^node:' }
    },
    {
      name: 'dashboard-imports-no-server-code',
      severity: 'error',
      from: { path: '^packages/dashboard/' },
      to: { path: '^packages/(server|cli)/' }
    },
    {
      name: 'ui-imports-no-feature',
      comment: 'Shared components import neither pages nor their data.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/(ui|i18n|api)/' },
      to: { path: '^packages/dashboard/src/(features|shell|routes)/' }
    },
    {
      name: 'features-share-queries-only',
      comment:
        'A feature of the dashboard may import the queries and the parent route of another, but not its pages. Exceptions: the overview and the first-run wizard show parts of other features.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/features/([^/]+)/', pathNot: '/features/(overview|welcome)/' },
      to: {
        path: '^packages/dashboard/src/features/',
        pathNot: ['^packages/dashboard/src/features/$1/', '[.](queries|routes)[.]ts$']
      }
    },
    {
      name: 'dashboard-runs-in-a-browser',
      severity: 'error',
      from: { path: '^packages/dashboard/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^node:' }
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '\\.test\\.ts$|/test/' }
    }
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '/dist[.]'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js']
    }
  }
}
