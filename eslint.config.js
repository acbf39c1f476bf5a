import tseslint from 'typescript-eslint'

const processEnv = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Configuration is parsed once, in an entry: read config.'
}
const defaultExport = { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }
const shell = {
  selector: "Property[key.name='shell'][value.value!=false]",
  message: 'No shell: argument arrays only (infra/process).'
}

const reply = {
  selector: "TSTypeReference[typeName.name='FastifyReply']",
  message: 'Replies are met in routes alone: take a function that sends (http/send-file.ts, http/send-archive.ts).'
}

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', 'data/**', 'deploy/sample/**', 'packages/client/src/schema.ts'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: ['./tsconfig.tests.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      'no-console': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      'no-restricted-syntax': ['error', processEnv, defaultExport, shell]
    }
  },
  {
    files: ['packages/server/src/features/**/*.ts'],
    ignores: ['**/*.routes.ts'],
    rules: { 'no-restricted-syntax': ['error', processEnv, defaultExport, shell, reply] }
  },
  // Entries and tests meet the outside world.
  {
    files: [
      'packages/server/src/cli/main.ts',
      'packages/cli/src/main.ts',
      '**/*.test.ts',
      'e2e/**',
      'bench/**',
      'packages/server/test/**',
      '*.config.ts',
      'packages/*/*.config.ts'
    ],
    rules: { 'no-restricted-syntax': ['error', shell], 'no-console': 'off' }
  },
  { files: ['scripts/*.mjs', '*.js', '*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } }
)
