import reactHooks from 'eslint-plugin-react-hooks'
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

/** Names, commits and log lines are written by people one does not know: they are text, and React makes them so. */
const hostileText = [
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Text goes through React.' },
  { selector: 'AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]', message: 'Text goes through React.' }
]

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/dist.*/**',
      '**/node_modules/**',
      'data/**',
      'deploy/sample/**',
      'packages/client/src/schema.ts'
    ]
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.tests.json', './packages/dashboard/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname
      }
    },
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
  {
    files: ['packages/dashboard/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      // Of the compiler, which is not used.
      'react-hooks/incompatible-library': 'off',
      'no-restricted-syntax': ['error', defaultExport, ...hostileText]
    }
  },
  {
    files: ['packages/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'max-lines': ['error', 300] }
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
