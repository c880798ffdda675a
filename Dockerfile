# The base, in all stages: the release of Node that the tests run on (the package `node` of the lock file). To pin it by the
# digest of its index: docker buildx imagetools inspect node:26.10.0-bookworm-slim
ARG NODE_IMAGE=node:26.10.0-bookworm-slim

# Production dependencies only; no install script runs, and none of them is compiled: the image is the same everywhere.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

# The runtime without what installs packages: a running bot needs none of it.
FROM ${NODE_IMAGE} AS runtime
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && mkdir -p /app/data && chown node:node /app/data && chmod 700 /app/data

# What Node keeps of the compiled code, for the user that runs it: a container starts in half the time. Without a
# configuration the bot ends at once.
FROM runtime AS compiled
WORKDIR /app
COPY --from=dependencies --chown=node:node /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
USER node
RUN node src/compile.js || test $? -eq 2

# Copied into an empty image, so that no layer below holds what was removed.
FROM scratch
COPY --from=runtime / /
ENV NODE_ENV=production PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
COPY --from=compiled /app/node_modules/.cache ./node_modules/.cache
# The one folder that the bot writes to; keep it on a volume. All else can be read-only.
VOLUME /app/data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# The check ends by itself before its time is over: not every engine ends it, and such checks of a bot that hangs would pile up.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT || process.env.PORT || 3000}/healthz`, { signal: AbortSignal.timeout(4000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Less memory under load: new objects get 8 MB instead of 32, and the heap grows in smaller steps where its end is nearer.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=768", "--import", "./src/compile-cache.js", "src/main.ts"]
