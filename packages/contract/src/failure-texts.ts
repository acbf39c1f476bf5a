export const failureTexts = {
  TIMED_OUT:
    'It took longer than the build timeout of {{seconds}} s, which an administrator can change in Settings → Builds',
  PANEL_STOPPED: 'The panel was stopped; redeploy',
  PANEL_STOPPED_MEANWHILE: 'The panel stopped while this was {{status}}; redeploy',
  OUR_FAULT: 'Internal error. The server log has the details',
  DISK_LOW:
    'The disk of this server is nearly full: {{free}} MiB are free and a build needs {{needed}} MiB. Ask an ' +
    'administrator to free up space, then build again',
  VERSION_NOT_AVAILABLE:
    '{{file}} asks for {{language}} {{wanted}}, which is not available. Ask for one of {{versions}} there, or choose a version in the ' +
    'settings of the project.',
  VERSION_NOT_HERE:
    'The project asks for {{language}} {{wanted}}, which this server cannot get. Ask for one of {{versions}}, or ask an administrator to make ' +
    'others available.',
  FILES_NOT_SAVED:
    'The files of the project could not be saved before, so they were not replaced. See the deployment before this one.',
  NO_REPOSITORY: 'The project has no repository to build from.',
  NO_DOCKERFILE: 'There is no Dockerfile in the root of the repository; add one.',
  NO_DOCKERFILE_THERE:
    'There is no file {{path}} in the build context; correct the path of the Dockerfile in the settings of the project.',
  DOCKERFILE_ELSEWHERE:
    'There is no Dockerfile in the root of the repository, but there are others: {{paths}}. Set the path of the Dockerfile, or the root directory, in the settings of the project.',
  ROOT_NOT_FOUND:
    'The repository has no directory {{path}}; correct the root directory in the settings of the project.',
  ROOT_IS_LINK: '{{path}} is a symbolic link; set the root directory to a real directory.',
  DOCKERFILE_OUTSIDE_CONTEXT:
    'The Dockerfile {{path}} is outside the build context {{context}}; choose a context that contains it in the settings of the project.',
  DOCKERFILE_NO_STAGE:
    'The Dockerfile has no stage {{target}}; correct the build target in the settings of the project.',
  DOCKERFILE_IS_LINK: 'The Dockerfile is a symbolic link; make it a regular file.',
  DOCKERFILE_TOO_LARGE: 'The Dockerfile cannot be read: it is too large.',
  DOCKERFILE_NO_FROM: 'The Dockerfile has no FROM instruction.',
  DOCKERFILE_TOO_MANY_IMAGES: 'The Dockerfile names more than {{max}} images; use fewer.',
  IMAGE_OF_PROJECT: 'The image {{reference}} was built on this server for a project; use an image from a registry.',
  IMAGE_OF_SERVER: 'The image {{reference}} exists only on this server; use an image from a registry.',
  IMAGE_HAS_ONBUILD: 'The image {{reference}} has ONBUILD instructions, which are not allowed here; use another image.',
  IMAGE_NOT_PULLED:
    'The image {{reference}} cannot be pulled: {{problem}}. Check that its name is correct and that it is public.',
  IMAGE_GONE_AGAIN: 'The image {{reference}} was removed again after it was pulled; redeploy.',
  IMAGE_NOT_SET: 'The project has no image; set one in its settings.',
  IMAGE_NOT_FOUND: 'The registry {{host}} has no image {{reference}}. Check its name and tag.',
  IMAGE_NOT_PUBLIC:
    'The image {{reference}} does not exist or is private. Check its name, or add the credentials of {{host}} under Registries.',
  IMAGE_OTHER_PLATFORM:
    'The image {{reference}} is not built for {{platform}}, the platform of this server. Publish an image for it.',
  REGISTRY_LOGIN_REFUSED:
    'The registry {{host}} rejected the credentials. Check the user, the token and its permissions under Registries.',
  REGISTRY_RATE_LIMITED:
    'The registry {{host}} limits how often images are requested; add credentials or try again later.',
  REGISTRY_SILENT: 'The registry {{host}} did not respond in time. Try again later.',
  REGISTRY_NOT_REACHED: 'The registry {{host}} cannot be reached: {{problem}}.',
  REGISTRY_ANSWERED: 'The registry {{host}} answered with the status {{status}}.',
  REGISTRY_REFUSED_ADDRESS:
    'The registry {{host}} has an address that is private or of this server. Use a public registry, or ask an administrator to allow the address.',
  REGISTRY_PRIVATE: 'The registry {{host}} has a private address; only public registries are allowed.',
  FILE_TOO_LARGE_TO_READ: '{{path}} is too large to read; make it smaller.',
  MANIFESTS_TOO_LARGE: 'The manifests of the repository are too large in total; make them smaller.',
  DEPENDENCY_LIST_TOO_LARGE: '{{path}} is too large for a file that lists dependencies.',
  REPOSITORY_TOO_LARGE: 'The repository is larger than {{megabytes}} MiB, the limit of this server.',
  REPOSITORY_TOO_LARGE_TO_BUILD: 'The repository is too large to build on this server.',
  NOT_JSON: '{{path}} is not valid JSON: {{problem}}',
  NO_JSON_OBJECT: '{{path}} is not a JSON object.',
  NOT_TOML: '{{path}} is not valid TOML: {{problem}}',
  NO_NODE_START:
    'package.json has no "start" script and no start command is set: add one of them, or a Procfile with a "web:" line, a "main" file, ' +
    'or a server.js, index.js or app.js; or a "build" script that generates a static site.',
  NO_NODE_FILE:
    'There is no package.json, no server.js, index.js or app.js, and no start command is set: add one of them.',
  NO_PYTHON_START:
    'No start command was found for this Python project: set one (listening on 0.0.0.0:$PORT), or add a Procfile with a "web:" line, a ' +
    'Django manage.py, or an app.py, main.py, wsgi.py or asgi.py with a Flask, FastAPI or Starlette application.',
  NO_PYTHON_FILE: 'The repository has no Python file; choose another project type, or set a start command.',
  NO_PHP_FILE:
    'The repository has no index.php in its root, public/, web/, public_html/ or htdocs/, and no composer.json; add one, or choose another project type.',
  NO_DOCUMENT_ROOT:
    'The repository has no directory {{path}} for the document root; correct the output directory in the settings of the project.',
  NO_SITE:
    'No index.html was found in the root, public/, dist/, build/ or _site/ of the repository, and there is nothing to build: add one, or a "build" script in package.json, or set a build command.',
  NO_SITE_THERE: 'There is no index.html in {{path}}; correct the output directory in the settings of the project.',
  NO_WORDPRESS:
    'No WordPress was found in the repository: it must contain the WordPress core, a wp-content directory, or a theme (style.css with ' +
    'a "Theme Name:").',
  OTHER_PLATFORM:
    'The adapter of this SvelteKit project builds for another platform: in svelte.config.js use @sveltejs/adapter-node for a server or ' +
    '@sveltejs/adapter-static for a site.',
  GIT_OUT_OF_MEMORY:
    'Reading the repository takes more memory than the {{gibibytes}} GiB that Git may use here. The likely cause is a very large ' +
    'commit, tree or file in its history.',
  GIT_HOST_KEY:
    'The SSH host key of the Git server is unknown, so nothing was sent. Ask an administrator to add it to the SSH host keys in the configuration of this server.',
  GIT_KEY_REFUSED:
    'The Git server rejected the SSH key: add the deploy key of the project to the repository, then try again.',
  GIT_PRIVATE:
    'The repository does not exist or is private. For a private repository, use its git@ address and add the deploy key of the project ' +
    'to it.',
  GIT_NOT_FOUND: 'The repository was not found. Check the address.',
  GIT_NOT_FOUND_BY_SSH:
    'The repository was not found. Check the address and add the deploy key of the project to the repository.',
  GIT_NO_BRANCH: 'The repository has no branch "{{branch}}".',
  GIT_REDIRECTS:
    'The Git server redirects to another address, and redirects are not followed. Use the current address of the repository (it may ' +
    'have been renamed).',
  GIT_NAME_UNKNOWN: 'The hostname of the Git server could not be resolved.',
  GIT_TIMED_OUT: 'The Git server did not respond in time.',
  GIT_NOT_REACHED: 'The Git server cannot be reached.',
  GIT_NOT_TRUSTED: 'The TLS certificate of the Git server is not trusted.',
  GIT_SERVER_ERROR: 'The Git server reported an internal error; try again later.',
  GIT_DISK_FULL: 'The disk of this server is full.',
  GIT_PROTOCOL: 'Only https, http and ssh URLs are allowed.',
  GIT_BAD_OBJECTS: 'The repository contains invalid objects (git fsck).',
  GIT_BROKEN_OFF: 'The Git server closed the connection.',
  GIT_FAILED: 'Git could not fetch the repository: {{problem}}.',
  GIT_GAVE_NO_REASON: 'Git could not fetch the repository and gave no reason.',
  GIT_TOO_LARGE: 'The repository is larger than the limit of {{limit}}.',
  GIT_TOO_SLOW: 'The Git server took longer than the limit of {{seconds}} s.',
  GIT_TOO_MANY_MESSAGES: 'The Git server sent too many messages.',
  GIT_CANCELLED: 'The fetch was cancelled.',
  GIT_NOT_ON_BRANCH:
    'Commit {{commit}} is not on branch {{branch}}, or far behind its head: it may have been removed by a force push, or belong to ' +
    'another branch or a fork. Nothing was built; build the head of the branch instead.',
  GIT_MESSAGE_TOO_LONG: 'The commit message is too long.',
  GIT_INCOMPLETE: 'The fetched repository is incomplete; try again.',
  GIT_TOO_MANY_FILES: 'The commit {{commit}} has too many files.',
  GIT_COMMIT_MISSING: 'The commit {{commit}} is not in the fetched repository.',
  GIT_BUSY: 'This repository is already being fetched; try again in a moment',
  GIT_EMPTY: 'The repository has no branches yet: push one',
  GIT_NEEDS_KEY:
    'This address requires a deploy key: create one in the settings of the project and add it at your Git provider',
  GIT_NEEDS_KEY_OF_PROJECT:
    'This address requires a deploy key: create one in a project, add it at your Git provider, and name the project',
  NOTHING_FETCHED: 'The repository has not been fetched yet: start a build or connect the repository.',
  NOT_CONNECTED: 'No repository is connected: connect one.',
  REFERENCE_UNKNOWN:
    'The variable {{key}} refers to {{reference}}, which was not found. References name a variable of the project, or a group or database ' +
    'that belongs to it; write $ before the reference to use it as text.',
  REFERENCE_CIRCULAR: 'The variable {{key}} refers to itself through {{reference}}; break the circle.',
  REFERENCE_AMBIGUOUS:
    'The variable {{key}} refers to {{reference}}, but several groups or databases of the project have that name; rename or detach one.',
  REFERENCE_TOO_DEEP:
    'The variable {{key}} refers to others through more than {{max}} steps, beginning with {{reference}}.',
  REFERENCE_INVALID:
    'The variable {{key}} contains {{reference}}, which is not a reference. References name a KEY, group.KEY or database.url; write $ before it to ' +
    'use it as text.',
  VARIABLE_TOO_LONG: 'The value of the variable {{key}} is longer than {{kibibytes}} KiB with what it refers to.',
  VARIABLES_TOO_LARGE:
    'The variables of the project, with those of its groups and what they refer to, exceed {{kibibytes}} KiB in total. Put large values into files.',
  SECRET_BUILD_ARGUMENT:
    'The Dockerfile declares {{keys}} with ARG, but build arguments stay in the history of the image, and these variables are sensitive ' +
    'and for the build only. If a value is not secret, turn off masking for it; otherwise replace the ARG by RUN --mount=type=secret, which Debian 13 has.',
  IMAGE_NOT_KEPT: 'The image of this deployment is no longer kept',
  UPLOAD_NOT_KEPT: 'The uploaded folder of this deployment is no longer kept. Upload it again.',
  ACCOUNT_GONE: 'The account of this project was deleted',
  NO_HOST_NAME: 'No hostname is available for this project; rename it',
  NO_ANSWER:
    'The container did not become ready: it did not answer HTTP on port {{port}} within {{seconds}} s; it must listen on 0.0.0.0 and ' +
    'the port in $PORT',
  NOT_HTTP:
    'The container accepts connections on port {{port}}, but did not answer HTTP within {{seconds}} s. If the application does not speak HTTP, ' +
    'choose that in the health check of the project',
  NOT_LISTENING:
    'The container did not become ready: it accepted no connection on port {{port}} within {{seconds}} s; it must listen on 0.0.0.0 and the ' +
    'port in $PORT',
  NOT_HEALTHY:
    'The container did not become healthy within {{seconds}} s: GET {{path}} answered {{status}} instead of {{expected}}; check the ' +
    'log of the container, or the health check in the settings of the project',
  NOT_HEALTHY_SILENT:
    'The container did not become healthy within {{seconds}} s: GET {{path}} on port {{port}} was not answered within {{timeout}} s',
  RELEASE_FAILED:
    'The release command exited with code {{exitCode}}, so this release does not go live. Its output is in the log.',
  RELEASE_OUT_OF_MEMORY:
    'The release command ran out of memory, so this release does not go live. Reduce its memory usage, or give the ' +
    'project a larger size in its settings.',
  RELEASE_CONTAINER_GONE:
    'The container of the release command was removed while it ran, so this release does not go live. Redeploy.',
  MACHINE_LOST:
    'The machine {{machine}} stopped responding during the deployment. The previous release serves on. Redeploy: the project then runs on other machines.',
  NO_MACHINE: 'The project has no machine to run on: {{reason}}.',
  NO_PROXY_POOL:
    'This server already has {{count}} projects with several instances. Set this project to one instance, and redeploy.',
  CONTAINER_GONE: 'The container did not become ready: it was removed',
  OUT_OF_MEMORY:
    'The container did not become ready: it ran out of memory; reduce its memory usage, or give the project a larger size in its settings',
  EXITED: 'The container did not become ready: it exited with code {{exitCode}}',
  EXITED_AND_RESTARTED: 'The container did not become ready: it exited with code {{exitCode}} and is being restarted',
  RESTARTED: 'The container did not become ready: it crashed and was restarted'
} as const
export type FailureCode = keyof typeof failureTexts
