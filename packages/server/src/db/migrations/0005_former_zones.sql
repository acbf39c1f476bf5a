CREATE TABLE "former_zones" (
	"name" text PRIMARY KEY NOT NULL,
	"serial" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
