/** What the owner of a repository is told beside what a build would make of it. */
export const detectionNoteTexts = {
  SEVERAL_LOCK_FILES: 'There are several lock files ({{files}}); {{used}} is used.',
  NO_LOCK_FILE: 'There is no lock file: two builds may get different versions. Commit one.',
  OTHER_NODE: 'The project asks for Node.js {{wanted}}; this server builds with {{version}}.',
  ADAPTER_AUTO:
    'adapter-auto takes the newest @sveltejs/adapter-node in the build; add that to package.json to have a version of your own.',
  NOTHING_TO_RUN: 'Nothing of it has to run, so the site that the build leaves is served as it is.',
  NO_WAY_TO_START:
    'There is no way to start it, so what the build leaves is served as a site; set a start command, or add a "start" script, if it is a server.',
  START_NOT_OF_SITE: 'The start command is not used: static sites are served by Caddy.',
  START_NOT_OF_WORDPRESS: 'The start command is not used: WordPress is served by Apache.',
  BUILD_NOT_OF_DOCKERFILE: 'The build command is not used: the Dockerfile says how to build.',
  HEALTHCHECK_NOT_USED: 'HEALTHCHECK is not used: the panel asks the site itself whether it answers.',
  PLATFORM_NOT_USED: 'The option --platform is not used: images are built for this server.',
  BUILDER_DECIDES: '{{builder}} decides in the build what the project is, and how it is built and started.'
} as const
export type DetectionNoteCode = keyof typeof detectionNoteTexts
