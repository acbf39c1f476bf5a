/** Why a deployment failed, or a repository is not connected or looked into, as far as it is not a program's own words. */
export const failureTexts = {
  TIMED_OUT: 'It took longer than BUILD_TIMEOUT ({{seconds}} s)',
  PANEL_STOPPED: 'The panel was stopped; deploy again',
  PANEL_STOPPED_MEANWHILE: 'The panel stopped while this was {{status}}; deploy again',
  OUR_FAULT: 'Internal error; the server log has the details',
  DISK_LOW:
    'The disk of this server is nearly full: {{free}} MiB are free and a build needs {{needed}} MiB (MIN_FREE_DISK). An administrator must make room; then build again',
  NO_REPOSITORY: 'The project has no repository to build from.',
  NO_DOCKERFILE: 'There is no Dockerfile in the root of the repository; add one.',
  DOCKERFILE_IS_LINK: 'The Dockerfile is a symbolic link; make it a regular file.',
  DOCKERFILE_TOO_LARGE: 'The Dockerfile cannot be read: it is too large.',
  DOCKERFILE_NO_FROM: 'The Dockerfile has no FROM instruction.',
  DOCKERFILE_TOO_MANY_IMAGES: 'The Dockerfile names more than {{max}} images; use fewer.',
  IMAGE_OF_PROJECT: 'The image {{reference}} is one that this server built for a project; name one of a registry.',
  IMAGE_OF_SERVER: 'The image {{reference}} was made on this server and is in no registry; name one of a registry.',
  IMAGE_HAS_ONBUILD: 'The image {{reference}} has ONBUILD instructions, which are not allowed here; use another one.',
  IMAGE_NOT_PULLED: 'The image {{reference}} cannot be pulled: {{problem}}. Check its name, and that it is public.',
  IMAGE_GONE_AGAIN: 'The image {{reference}} is gone again after it was pulled; deploy again.',
  REGISTRY_PRIVATE: 'The registry {{host}} is at a private address; images come from public registries only.',
  FILE_TOO_LARGE_TO_READ: '{{path}} is larger than is read of such a file; make it smaller.',
  MANIFESTS_TOO_LARGE: 'The manifests of the repository are too large together; make them smaller.',
  DEPENDENCY_LIST_TOO_LARGE: '{{path}} is too large for a file that lists dependencies.',
  REPOSITORY_TOO_LARGE: 'The repository is larger than {{megabytes}} MiB, the limit of this server.',
  REPOSITORY_TOO_LARGE_TO_BUILD: 'The repository is larger than this server takes into a build.',
  NOT_JSON: '{{path}} is not valid JSON: {{problem}}',
  NO_JSON_OBJECT: '{{path}} is not a JSON object.',
  NOT_TOML: '{{path}} is not valid TOML: {{problem}}',
  NO_NODE_START:
    'package.json has no "start" script and no start command is set: add one of them, or a Procfile with a "web:" line, a "main" file, or a server.js, index.js or app.js; or a "build" script that leaves a site.',
  NO_NODE_FILE:
    'There is no package.json, no server.js, index.js or app.js, and no start command is set: add one of them.',
  NO_PYTHON_START:
    'It is not clear how this Python project starts: set a start command (listening on 0.0.0.0:$PORT), or add a Procfile with a "web:" line, a Django manage.py, or an app.py, main.py, wsgi.py or asgi.py with a Flask, FastAPI or Starlette application.',
  NO_PYTHON_FILE: 'The repository has no Python file; choose another project type, or set a start command.',
  NO_SITE:
    'No index.html was found in the root, public/, dist/, build/ or _site/ of the repository, and there is nothing to build: add one, or a "build" script in package.json, or set a build command.',
  NO_WORDPRESS:
    'No WordPress was found in the repository: it may hold the whole core, a wp-content directory, or a theme (style.css with a "Theme Name:").',
  OTHER_PLATFORM:
    'The SvelteKit project is built for another platform by its adapter: in svelte.config.js take @sveltejs/adapter-node for a server or @sveltejs/adapter-static for a site.',
  GIT_OUT_OF_MEMORY:
    'The repository needs more memory to be read than the {{gibibytes}} GiB that git may use here. A very large commit, tree or file in its history is the likely reason.',
  GIT_HOST_KEY:
    'The SSH host key of the git server is not the one this panel knows, so nothing was sent; an administrator can add it to GIT_KNOWN_HOSTS.',
  GIT_KEY_REFUSED:
    'The git server refused the SSH key: add the deploy key of the project to the repository, then try again.',
  GIT_PRIVATE:
    'The repository does not exist or is private. For a private one use its git@ address and add the deploy key of the project to the repository.',
  GIT_NOT_FOUND: 'The repository was not found. Check the address.',
  GIT_NOT_FOUND_BY_SSH:
    'The repository was not found. Check the address and add the deploy key of the project to the repository.',
  GIT_NO_BRANCH: 'The repository has no branch "{{branch}}".',
  GIT_REDIRECTS:
    'The git server redirects to another address, which is not followed. Use the present address of the repository (it may have been renamed).',
  GIT_NAME_UNKNOWN: 'The name of the git server could not be resolved.',
  GIT_TIMED_OUT: 'The git server did not answer in time.',
  GIT_NOT_REACHED: 'The git server cannot be reached.',
  GIT_NOT_TRUSTED: 'The TLS certificate of the git server is not trusted.',
  GIT_SERVER_ERROR: 'The git server had an error of its own; try again later.',
  GIT_DISK_FULL: 'The disk of this server is full.',
  GIT_PROTOCOL: 'Only https, http and ssh addresses are allowed.',
  GIT_BAD_OBJECTS: 'The repository has objects that fail the check of git (git fsck).',
  GIT_BROKEN_OFF: 'The git server broke off the connection.',
  GIT_FAILED: 'Git could not fetch the repository: {{problem}}.',
  GIT_GAVE_NO_REASON: 'Git could not fetch the repository: it gave no reason.',
  GIT_TOO_LARGE: 'The repository is larger than the {{limit}} that are allowed.',
  GIT_TOO_SLOW: 'The git server took longer than the {{seconds}} s that are allowed.',
  GIT_TOO_MANY_MESSAGES: 'The git server sent more messages than are allowed.',
  GIT_CANCELLED: 'The fetch was cancelled.',
  GIT_NOT_ON_BRANCH:
    'Commit {{commit}} is not on branch {{branch}}, or far behind its head: a forced push may have removed it, or it belongs to another branch or a fork. Nothing was built; build the head of the branch instead.',
  GIT_MESSAGE_TOO_LONG: 'The commit message is too long.',
  GIT_INCOMPLETE: 'The repository that was fetched is incomplete; try again.',
  GIT_TOO_MANY_FILES: 'The commit {{commit}} has too many files.',
  GIT_COMMIT_MISSING: 'The commit {{commit}} is not in the fetched repository.',
  GIT_BUSY: 'This repository is being fetched already; try again in a moment',
  GIT_EMPTY: 'The repository has no branch yet: push one',
  GIT_NEEDS_KEY:
    'This address needs a deploy key: make one with POST /api/projects/:id/git/ssh-key and add it at the provider',
  GIT_NEEDS_KEY_OF_PROJECT:
    'This address needs a deploy key: make one with POST /api/projects/:id/git/ssh-key, add it at the provider, and name the project',
  NOTHING_FETCHED: 'Nothing of the repository has been fetched yet: a build does, and so does connecting it.',
  NOT_CONNECTED: 'No repository is connected: connect one.',
  IMAGE_NOT_KEPT: 'The image of this deployment is no longer kept',
  ACCOUNT_GONE: 'The account of this project is gone',
  NO_HOST_NAME: 'No host name is free for this project; rename it',
  NO_ANSWER:
    'The container did not become ready: it did not answer HTTP on port {{port}} within {{seconds}} s; it must listen on 0.0.0.0 and the port in $PORT',
  CONTAINER_GONE: 'The container did not become ready: it is gone',
  OUT_OF_MEMORY:
    'The container did not become ready: it ran out of memory; raise DEPLOY_MEMORY_LIMIT or make it use less',
  EXITED: 'The container did not become ready: it stopped with exit code {{exitCode}}',
  EXITED_AND_RESTARTED:
    'The container did not become ready: it stopped with exit code {{exitCode}} and is started again',
  RESTARTED: 'The container did not become ready: it stopped and was started again'
} as const
export type FailureCode = keyof typeof failureTexts
