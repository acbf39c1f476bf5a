// The boundaries of docs/architecture.md, as rules. `npm run check` runs them.
const pure = '\\.(policy|machine|render)\\.ts$'

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }
    },
    {
      name: 'features-see-interfaces',
      comment:
        'Features know adapters by their interface (infra/<role>/<role>.ts, with its errors); dependencies.ts wires the real ones. x509 is no adapter: it reads and writes certificates in memory.',
      severity: 'error',
      from: { path: '^packages/server/src/features/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/server/src/infra/([^/]+)/',
        pathNot: ['^packages/server/src/infra/([^/]+)/\\1\\.ts$', '/labels\\.ts$', '/infra/x509/'],
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
      name: 'pure-files-do-no-io',
      severity: 'error',
      from: { path: pure },
      to: {
        dependencyTypesNot: ['type-only'],
        path: [
          '^(node:)?(fs|fs/promises|child_process|net|http|https|dns|worker_threads)$',
          '/(execa|pg|fastify|dockerode|drizzle-orm)/',
          '\\.(repository|service)\\.ts$',
          'dependencies\\.ts$'
        ]
      }
    },
    {
      name: 'own-repository-only',
      comment:
        'A slice may call another slice\u2019s service or policy; only the store\u2019s own joins are shared through repositories of the noun they belong to.',
      severity: 'error',
      from: { path: '^packages/server/src/features/([^/]+)/.+\\.routes\\.ts$' },
      to: { path: '\\.repository\\.ts$', pathNot: '/audit/' }
    },
    {
      name: 'processes-in-one-place',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['^packages/server/src/(infra/process|cli)/', '\\.test\\.ts$'] },
      to: { path: '^(node:)?child_process$|/execa/' }
    },
    {
      name: 'contract-is-pure',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: '^node:|^packages/server/' }
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
    tsConfig: { fileName: 'tsconfig.tests.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js']
    }
  }
}
