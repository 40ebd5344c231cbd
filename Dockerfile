# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY src/server/package.json ./src/server/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY src ./src
# The service's page about errors is built from the documentation.
COPY stories/docs ./stories/docs
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
# The headless shell takes screenshots twice as fast as the full browser. The fonts cover emoji and all
# scripts that many pages use; `fonts-liberation` has the widths of Arial, Times and Courier.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
      chromium-headless-shell fonts-liberation fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core tini \
 && rm -rf /var/lib/apt/lists/* \
 && fc-cache --force \
 && install --directory --owner=node --group=node --mode=700 /data

WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/src/server/package.json ./src/server/
COPY --from=build /app/src/server/dist ./src/server/dist
RUN ln -s /app/src/server/dist/static/commands/page-preview-server.js /usr/local/bin/page-preview-server

# With the default, glibc keeps a fifth more memory for buffers of pages and images that were freed long ago.
ENV MALLOC_MMAP_THRESHOLD_=131072 \
    NODE_ENV=production \
    PAGE_PREVIEW_HOST=0.0.0.0 \
    PAGE_PREVIEW_PORT=3000 \
    PAGE_PREVIEW_PRO_PORT=3001 \
    PAGE_PREVIEW_DATA_DIR=/data/page-preview \
    PAGE_PREVIEW_BROWSER=/usr/bin/chromium-headless-shell

# Chromium's sandbox requires a user other than root, and user namespaces. Docker blocks those by default; allow them with
# --security-opt seccomp=seccomp.json, as compose.yaml does. On hosts that disable them (kernel.unprivileged_userns_clone=0 or
# user.max_user_namespaces=0), change that setting. Without them the service does not start, unless
# PAGE_PREVIEW_ALLOW_UNSANDBOXED=true accepts that the browser is isolated by the container only.
USER node
VOLUME /data
EXPOSE 3000 3001

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PAGE_PREVIEW_ADMIN_PORT || process.env.PAGE_PREVIEW_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# tini reaps the processes that a killed browser leaves behind, and forwards SIGTERM.
ENTRYPOINT ["tini", "--", "page-preview-server"]
CMD ["serve"]
