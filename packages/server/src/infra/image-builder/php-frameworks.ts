import type { phpSigns } from './image-builder.ts'

export interface PhpFramework {
  name: string
  /** A package that composer.json requires, or a file. */
  package?: string
  file?: (typeof phpSigns)[number]
  /** Document root, also if the build creates it. */
  root: string
  /** Folders that the application writes, and what it expects in them. They are kept over deployments. */
  keeps: readonly string[]
  /** Kept folders that are served, by their paths below the document root. */
  served?: Readonly<Record<string, string>>
  env?: Readonly<Record<string, string>>
  /** Commands for the release, for workers and for schedules. */
  commands: readonly string[]
}

/** The first that matches wins. */
const phpFrameworks: readonly PhpFramework[] = [
  {
    name: 'Laravel',
    package: 'laravel/framework',
    file: 'artisan',
    root: 'public',
    keeps: [
      'storage',
      'storage/app',
      'storage/app/public',
      'storage/framework',
      'storage/framework/cache',
      'storage/framework/cache/data',
      'storage/framework/sessions',
      'storage/framework/views',
      'storage/logs'
    ],
    served: { '/storage': 'storage/app/public' },
    commands: ['php artisan migrate --force', 'php artisan queue:work', 'php artisan schedule:run']
  },
  {
    name: 'Symfony',
    package: 'symfony/framework-bundle',
    file: 'symfony.lock',
    root: 'public',
    keeps: ['var', 'var/log'],
    // Of a release: its compiled code may not meet that of another.
    env: { APP_ENV: 'prod', APP_CACHE_DIR: '/home/app/cache' },
    commands: [
      'php bin/console doctrine:migrations:migrate --no-interaction',
      'php bin/console messenger:consume async'
    ]
  },
  {
    name: 'Drupal',
    package: 'drupal/core-recommended',
    root: 'web',
    keeps: ['web/sites/default/files'],
    served: { '/sites/default/files': 'web/sites/default/files' },
    commands: ['vendor/bin/drush deploy', 'vendor/bin/drush cron']
  },
  {
    name: 'Craft CMS',
    package: 'craftcms/cms',
    file: 'craft',
    root: 'web',
    keeps: ['storage'],
    commands: ['php craft up --interactive=0', 'php craft queue/listen']
  },
  {
    name: 'Kirby',
    package: 'getkirby/cms',
    file: 'kirby/bootstrap.php',
    root: '',
    keeps: ['media', 'site/accounts', 'site/sessions'],
    served: { '/media': 'media' },
    commands: []
  }
]

export const phpFrameworkOf = (
  files: ReadonlySet<string>,
  require: ReadonlyMap<string, string> | undefined
): PhpFramework | undefined =>
  phpFrameworks.find(
    ({ package: name, file }) =>
      (name !== undefined && require?.has(name)) || (require !== undefined && file !== undefined && files.has(file))
  )
