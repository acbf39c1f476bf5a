// The boundaries of docs/architecture.md, as rules. `npm run check` runs them.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const pure = '\\.(policy|machine|render)\\.ts$'

// The order of features/index.ts: a feature builds on those before it.
const index = readFileSync(join(__dirname, 'packages/server/src/features/index.ts'), 'utf8')
const folders = Object.fromEntries(
  [...index.matchAll(/import \{ (\w+) \} from '\.\/([\w-]+)\//g)].map(([, name, folder]) => [name, folder])
)
const [, list] = /const modules = \[([^\]]*)\]/.exec(index)
const ordered = list.match(/\w+/g).map((name) => folders[name])

module.exports = {
  forbidden: [
    ...ordered.slice(0, -1).map((feature, at) => ({
      name: `${feature}-builds-on-features-before-it`,
      comment:
        'What a feature needs of a later one in features/index.ts comes to it by a hook (features/feature.ts); types count too.',
      severity: 'error',
      from: { path: `^packages/server/src/features/${feature}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^packages/server/src/features/(${ordered.slice(at + 1).join('|')})/` }
    })),
    {
      name: 'features-know-no-list',
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
      name: 'features-see-interfaces',
      comment:
        'Features know adapters by their interface (infra/<role>/<role>.ts, with its errors); dependencies.ts wires the real ones. x509 is no adapter, it reads and writes certificates in memory; and of a thread of ours, worker-thread is one end or the other.',
      severity: 'error',
      from: { path: '^packages/server/src/features/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/server/src/infra/([^/]+)/',
        pathNot: ['^packages/server/src/infra/([^/]+)/\\1\\.ts$', '/labels\\.ts$', '/infra/(x509|worker-thread)/'],
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'infra-knows-no-feature',
      severity: 'error',
      from: { path: '^packages/server/src/infra/' },
      to: { path: '^packages/server/src/(features|http)/' }
    },
    {
      name: 'wiring-knows-the-list-alone',
      comment: 'Of features, what makes the dependencies knows features/index.ts and what a module may say.',
      severity: 'error',
      from: {
        path: '^packages/server/src/((db|wiring)/|dependencies\\.ts$|process/paths\\.ts$)',
        pathNot: '\\.test\\.ts$'
      },
      to: { path: '^packages/server/src/features/', pathNot: '^packages/server/src/features/(index|feature)\\.ts$' }
    },
    {
      name: 'adapters-know-no-api',
      comment:
        'They reject with AdapterError (infra/adapter-error.ts); what the API calls each kind errors.ts says, once.',
      severity: 'error',
      from: {
        path: '^packages/server/src/(infra|programs|db|config|wiring)/',
        // The row keeps the code that an import has ended with, for the process that answers for it.
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
      comment: 'Other features ask a service, or the \u2026-access.ts that says what they may ask of the rows.',
      severity: 'error',
      from: { path: '^packages/server/src/features/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '\\.repository\\.ts$', pathNot: '^packages/server/src/features/$1/' }
    },
    {
      name: 'routes-ask-services',
      severity: 'error',
      from: { path: '\\.routes\\.ts$' },
      to: { path: '\\.repository\\.ts$' }
    },
    {
      name: 'sql-in-repositories',
      comment: 'Drizzle and the tables are met in `<noun>.repository.ts` and db/; types of rows may be named anywhere.',
      severity: 'error',
      from: {
        path: '^packages/server/src/',
        pathNot: [
          '\\.repository\\.ts$',
          '^packages/server/src/db/',
          '\\.test\\.ts$',
          // A job is enqueued in the caller's transaction: pg-boss is given a connection, and Drizzle has it.
          '^packages/server/src/infra/job-queue/pg-boss-queue\\.ts$'
        ]
      },
      to: {
        path: '/drizzle-orm/|^packages/server/src/db/schema/',
        // Its class of errors, whose bound values stay out of logs.
        pathNot: '/drizzle-orm/errors\\.',
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'features-do-no-io',
      comment:
        'Files, sockets, processes and threads are met in infra/. A `.worker.ts` or `.mjs` is what such a thread runs.',
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
      name: 'record-types-know-nobody',
      comment: 'What a DNS type is: data and pure functions, read by features and by the look-ups of infra/public-dns.',
      severity: 'error',
      from: { path: '^packages/server/src/record-types/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/server/src/|^(node:)?(fs|net|dgram|dns|http|https|child_process)',
        pathNot: '^packages/server/src/(record-types/|net/hostname\\.ts$)'
      }
    },
    {
      name: 'http-knows-no-feature',
      comment: 'http/ reads cookies and headers; who stands behind them the features say (security/credentials.ts).',
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
      name: 'clients-know-the-api-alone',
      comment: 'They are published alone, and run where there is no panel; the client in a browser too.',
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
      name: 'dashboard-knows-contract-and-client',
      severity: 'error',
      from: { path: '^packages/dashboard/' },
      to: { path: '^packages/(server|cli)/' }
    },
    {
      name: 'ui-knows-no-feature',
      comment: 'Components know neither pages nor the data of one.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/(ui|i18n|api)/' },
      to: { path: '^packages/dashboard/src/(features|shell|routes)/' }
    },
    {
      name: 'pages-share-data-alone',
      comment:
        'A feature of the dashboard may use the queries of another and the route that it hangs below; its pages are its own. The overview and the first-run wizard show parts of the others.',
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
    tsConfig: { fileName: 'tsconfig.tests.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js']
    }
  }
}
