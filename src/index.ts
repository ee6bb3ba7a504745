// What the package gives to programs that embed the service.
export { type Config, ConfigError, readConfig } from "./platform/config.ts";
export { createLogger, type Logger } from "./platform/logger.ts";
export { openStores, type StoreOptions, type Stores } from "./platform/stores/open-stores.ts";
export { type Service, type ServiceOptions, startService } from "./wire.ts";
