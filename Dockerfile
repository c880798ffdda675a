# The base of all stages: the Node release that the tests use (the package `node` in the lock file). To pin it by digest:
# docker buildx imagetools inspect node:26.10.0-bookworm-slim
ARG NODE_IMAGE=node:26.10.0-bookworm-slim

# Production dependencies only. None needs an install script or a compiler, so the image is the same everywhere.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

# The runtime without package managers, which the bot does not need.
FROM ${NODE_IMAGE} AS runtime
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && mkdir -p /app/data && chown node:node /app/data && chmod 700 /app/data

# Fills Node's compile cache, with which a container starts in half the time. Without settings, the exit code is 2.
FROM runtime AS compiled
WORKDIR /app
COPY --from=dependencies --chown=node:node /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
USER node
RUN node src/compile.js || test $? -eq 2

# An empty image, so that no lower layer contains the removed files.
FROM scratch
COPY --from=runtime / /
ENV NODE_ENV=production PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
COPY --from=compiled /app/node_modules/.cache ./node_modules/.cache
# The only folder that the bot writes to: keep it on a volume. Everything else can be read-only.
VOLUME /app/data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# The check ends itself before the timeout: some engines don't end it, and the checks of a hanging bot would accumulate.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT || process.env.PORT || 3000}/healthz`, { signal: AbortSignal.timeout(4000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Smaller heap limits make V8 collect garbage earlier, so the bot needs less memory under load.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=768", "--import", "./src/compile-cache.js", "src/main.ts"]
