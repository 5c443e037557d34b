# Builds for linux/amd64 and linux/arm64: docker buildx build --platform linux/amd64,linux/arm64 .
# The versions here are those of package.json: server/test/packaging.test.ts compares them.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# What browsers load, the console and the tracker, and the packages that the service runs with: the build removes those
# that only it needs. The image has Node itself, so the package of that name is not installed completely.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY engine/package.json engine/
COPY server/package.json server/
COPY sandbox/package.json sandbox/
COPY tracker/package.json tracker/
COPY sdk/package.json sdk/
COPY console/package.json console/
COPY bench/package.json bench/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN node tools/build.mjs

FROM ${NODE_IMAGE} AS service
ARG BUILD_ID=unknown
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4400 DATA_DIR=/data NODE_COMPILE_CACHE=/app/.compile-cache
COPY package.json package-lock.json openapi.json CHANGELOG.md LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY engine engine
COPY server server
COPY sandbox sandbox
COPY console/package.json console/
COPY tracker/package.json tracker/
COPY sdk/package.json sdk/
COPY tracker/src tracker/src
COPY tools/healthcheck.mjs tools/
COPY --from=build /app/console/dist console/dist
COPY --from=build /app/tracker/dist tracker/dist
# Links the libraries of the embedded database, so that the root can be read-only.
RUN echo "$BUILD_ID" > build-id \
 && NODE_COMPILE_CACHE= node server/src/main.ts prepare \
 && mkdir /data .compile-cache && chown node:node /data .compile-cache
USER node
# Compiles the service once: Node reads only what the same user compiled.
RUN node server/src/main.ts prepare
VOLUME /data
EXPOSE 4400
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "tools/healthcheck.mjs"]
ENTRYPOINT ["node", "server/src/main.ts"]
