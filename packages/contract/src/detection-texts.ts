export const detectionNoteTexts = {
  SEVERAL_LOCK_FILES: 'There are several lock files ({{files}}); {{used}} is used.',
  NO_LOCK_FILE: 'There is no lock file, so two builds may install different versions. Commit one.',
  OTHER_VERSION:
    'The project asks for {{language}} {{wanted}}, which this server does not have; {{version}} is used. An administrator can make others available.',
  VERSION_AT_END_OF_LIFE: '{{language}} {{version}} has had no security updates since {{end}}. Choose a newer version.',
  ADAPTER_AUTO:
    'adapter-auto installs the latest @sveltejs/adapter-node during the build; add it to package.json to pin a version.',
  NOTHING_TO_RUN: 'There is no server to run, so the build output is served as a static site.',
  NO_WAY_TO_START:
    'No way to start a server was found, so the build output is served as a static site. If it is a server, set a start command or add ' +
    'a "start" script.',
  START_NOT_OF_SITE: 'The start command is not used: static sites are served by Caddy.',
  SITE_RULES_SKIPPED:
    'These lines are not used, because they are not understood or not supported: {{lines}}. The documentation has the format.',
  START_NOT_OF_WORDPRESS: 'The start command is not used: WordPress is served by Apache.',
  DOCUMENT_ROOT: 'The document root is {{path}}. Set the output directory to change it.',
  DOCUMENT_ROOT_IS_PROJECT: 'The document root is the directory of the project. Set the output directory to change it.',
  KEPT_FOLDERS: 'These folders are kept in the files of the project over deployments: {{folders}}.',
  COMMANDS_OF_FRAMEWORK:
    'Commands of {{framework}} that you may want: {{commands}}. Set the release command in the settings, add workers under Processes and ' +
    'scheduled commands under Jobs.',
  SECRET_NOT_ARGUMENT:
    'The variables {{keys}} are declared by ARG but not passed to the build, because build arguments stay in the history of the image and these are sensitive. ' +
    'If a value is not secret, turn off masking for it; otherwise mount it with RUN --mount=type=secret, which Debian 13 has.',
  BUILD_NOT_OF_DOCKERFILE: 'The build command is not used: the Dockerfile says how to build.',
  HEALTHCHECK_NOT_USED: 'HEALTHCHECK is not used: the panel probes the site over HTTP instead.',
  PLATFORM_NOT_USED: 'The option --platform is not used: images are built for this server.',
  CACHE_MOUNT_NOT_USED:
    'Cache mounts (RUN --mount=type=cache) are not used: a step that runs again downloads again. They need a server with Debian 13.',
  SYNTAX_NOT_USED: 'The line "# syntax=" is not used: the server reads the Dockerfile itself.',
  BUILDER_DECIDES: '{{builder}} detects during the build what the project is and how to build and start it.'
} as const
export type DetectionNoteCode = keyof typeof detectionNoteTexts
